import type { Role } from '@looptide/contracts/common'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type Browser, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { addVideos, startChannel } from '../support/channels.ts'
import { addByUrls, libraryRows } from '../support/library.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, outageOf, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

/** With production rate limits: ten guarded actions of an admin per hour. */
const web = useOwnStation({ RATE_LIMIT_FACTOR: '1' })

let token: string
test.beforeAll(async () => {
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
})

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const openTab = (page: Page, tab: string) => page.goto(`${web.url}/admin?tab=${tab}`)

const playlistStatus = async (accessToken: string): Promise<number> => {
  const client = clientOf(web.url, accessToken)
  return (await client.send('GET /api/channels/:id/playlist', { params: { id: 'test-card' } })).status
}

/**
 * Opens a page that receives no notifications: its socket is blocked, and it can check its session over HTTP only after
 * one of its requests was rejected with 401.
 */
async function openPageWithoutSocket(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  let refused = false
  page.on('response', (response) => {
    refused ||= response.status() === 401
  })
  await page.routeWebSocket(/\/realtime\//, (socket) => socket.close())
  await page.route('**/auth/v1/user', (route) => (refused ? route.continue() : route.abort()))
  return page
}

async function accessTokenOf(context: BrowserContext): Promise<string> {
  const { origins } = await context.storageState()
  const kept = origins[0]?.localStorage.find(({ name }) => name === 'looptide-session')
  return JSON.parse(kept?.value ?? '{}').access_token
}

/** Opens two pages without sockets in the same session; each detects the end of the session by itself. */
async function openTwoPagesWithoutSocket(
  browser: Browser,
  account: { email: string; password: string },
): Promise<Page[]> {
  const first = await openPageWithoutSocket(await browser.newContext())
  await signInDirectly(first, web.url, account)
  const storageState = await first.context().storageState()
  return [first, await openPageWithoutSocket(await browser.newContext({ storageState }))]
}

/** Deactivates a channel that is on the air, and confirms it. */
async function deactivate(page: Page, row: Locator): Promise<void> {
  await row.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
}

test('a revoked role, an ended session and an exceeded rate limit have their own messages', async ({
  page,
  browser,
}) => {
  const deputy = await signUp(web.url, 'deputy')
  const setRole = (role: Role) =>
    clientOf(web.url, token).call('PUT /api/users/:id/role', { params: { id: deputy.id }, body: { role } })
  await setRole('admin')
  const [channels, theme] = await openTwoPagesWithoutSocket(browser, deputy)
  if (!channels || !theme) throw new Error('expected two pages')
  await signInDirectly(page, web.url, deputy)
  await Promise.all([openTab(page, 'user-management'), openTab(channels, 'channels')])
  await expect(region(page, 'User Management')).toBeVisible()
  const testCard = region(channels, 'Channel Manager').getByRole('listitem', { name: 'Test Card' })
  await expect(testCard).toBeVisible()

  await setRole('user')
  await expectToast(page, 'Access Denied', 'Administrator access required for the admin dashboard')
  await expect(region(page, 'User Management')).toBeHidden()
  await expect.poll(() => playlistStatus(deputy.accessToken)).toBe(403)
  await deactivate(channels, testCard)
  await expectToast(channels, 'Access Denied', "You don't have permission to perform this action")

  await setRole('admin')
  await expect.poll(() => playlistStatus(deputy.accessToken)).toBe(200)
  await openTab(theme, 'theme-customizer')
  await theme.getByRole('button', { name: /Ocean Blue/ }).click()
  const ended = await accessTokenOf(channels.context())
  await clientOf(web.url, deputy.accessToken).call('POST /auth/v1/logout', { query: { scope: 'global' } })
  await expectToast(page, 'You have been signed out', 'Your session has ended. Please sign in again.')
  await expect.poll(() => playlistStatus(ended)).toBe(401)
  await expect.poll(async () => (await clientOf(web.url, ended).send('GET /api/audit')).status).toBe(401)
  await deactivate(channels, testCard)
  await expectToast(channels, 'Authentication Required', 'Please log in to perform this action')
  await expectToast(channels, 'Access Denied', 'Please sign in to access the admin dashboard')
  await theme.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(theme, 'Save Triggered')
  await expectToast(theme, 'Error', 'You must be logged in to save theme settings')
  await expectToast(theme, 'Save Failed', 'Failed to save configuration. Please try again.')

  // Three guarded actions were done above.
  for (const role of ['user', 'moderator', 'user', 'moderator', 'user', 'moderator', 'user'] as const) {
    await setRole(role)
  }
  await signInDirectly(page, web.url, testAdmin)
  await openTab(page, 'channels')
  const card = region(page, '24/7 Stream Manager').getByRole('article', { name: 'Test Card' })
  await card.getByRole('button', { name: 'Reset Stream' }).click()
  await page.getByRole('button', { name: 'Yes, reset' }).click()
  await expectToast(page, 'Rate Limit Exceeded', 'Too many admin actions. Please wait before trying again.')
  await expectToast(page, 'Rate Limit Exceeded', /You can try again in \d+ (minutes|seconds)\./)
  // A ban can be undone, and has a limit of its own.
  await openTab(page, 'user-management')
  await page.getByRole('button', { name: /^Ban deputy/ }).click()
  await page.getByRole('button', { name: 'Ban from Site' }).click()
  await expectToast(page, 'User Banned')
  await Promise.all([channels.context().close(), theme.context().close()])
})

test('the dashboard’s buttons, and a video that is missing on YouTube and found later', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  await openTab(page, 'nowhere')
  await expect(page.getByText('Section not found')).toBeVisible()
  await openTab(page, 'video-library')
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expectToast(page, 'Settings Reset')

  const update = page.getByRole('button', { name: 'Update Metadata' })
  await update.click()
  await expectToast(page, 'No videos to update', 'All videos already have metadata')
  web.youtube.set('lostandfoun', { state: 'removed' })
  await addByUrls(page, 'https://youtu.be/lostandfoun')
  const first = libraryRows(page).first()
  await expect(first).toContainText('Unavailable: removed from YouTube')
  web.youtube.set('lostandfoun', { state: 'public', title: 'Found Again' })
  await update.click()
  await expectToast(page, 'Metadata updated', '1 video updated.')
  await expect(first).toContainText('Found Again')

  await addByUrls(page, `https://youtu.be/${'x'.repeat(3_000)}`)
  await expectToast(page, 'Error adding videos')
})

test('a list that cannot be loaded shows one toast', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  const fail = (url: RegExp) => page.route(url, (route) => route.abort())
  await fail(/\/api\/channels(\?|$)/)
  await openTab(page, 'channels')
  await expectToast(page, 'Error', 'Failed to fetch channels')
  await expect(page.getByRole('listitem').filter({ hasText: 'Failed to fetch channels' })).toHaveCount(1)

  const theme = await outageOf(page, /\/api\/theme$/)
  await page.getByRole('link', { name: /^Theme Settings/ }).click()
  await expect(page.getByText('Failed to load the theme.')).toBeVisible()
  await theme.tryAgain()
  await expect(page.getByRole('tab', { name: 'Presets' })).toBeVisible()

  await fail(/\/api\/videos(\?|$)/)
  await page.goto(`${web.url}/videos`)
  await expectToast(page, 'Failed to load videos')
})

test('while a service is stopped, each failed action shows its own message and the lists stay unchanged', async ({
  page,
  context,
}) => {
  const videoIds = await addVideos(web.url, token, ['Ann Other', 'Bob Other'])
  await startChannel(web.url, token, 'Steady', videoIds)
  await signInDirectly(page, web.url, testAdmin)
  const library = await context.newPage()
  await openTab(library, 'video-library')
  await expect(libraryRows(library).first()).toBeVisible()
  await openTab(page, 'channels')
  const playlists = region(page, 'Channel Playlist Manager')
  const rows = playlists.getByRole('list', { name: 'Playlist' }).getByRole('listitem')
  const press = (name: string | RegExp) => playlists.getByRole('button', { name }).first().click()
  await playlists.getByLabel('Channel', { exact: true }).selectOption({ label: 'Steady' })
  await expect(rows).toHaveCount(2)
  await playlists.getByRole('switch', { name: 'Review changes before saving' }).click()

  await web.station.halt('stream-scheduler')
  await press(/^Move down/)
  await expectToast(page, 'Failed to update playlist order', 'Please try again.')
  await expect(rows).toContainText(['Ann Other', 'Bob Other'])
  await press(/^Remove/)
  await expectToast(page, 'Failed to remove video from playlist')
  await playlists.getByRole('switch', { name: 'Shuffle' }).click()
  await expectToast(page, 'Failed to update shuffle setting')
  await press('Add Videos')
  const picker = page.getByRole('dialog', { name: 'Add Videos to Steady' })
  await picker.getByRole('checkbox').first().check()
  await picker.getByRole('button', { name: 'Add to playlist' }).click()
  await expectToast(page, 'Failed to add video to playlist')
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(2)

  const manager = region(page, 'Channel Manager')
  await manager.getByLabel('Name').fill('Never')
  await manager.getByRole('button', { name: 'Create Channel' }).click()
  await expectToast(page, 'Failed to create channel.', 'Please try again.')
  const steady = manager.getByRole('listitem', { name: 'Steady' })
  await deactivate(page, steady)
  await expectToast(page, 'Failed to update channel.')
  await steady.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete channel' }).click()
  await expectToast(page, 'Failed to delete channel.')
  await expect(steady).toContainText('Active')
  await playlists.getByLabel('Channel', { exact: true }).selectOption({ label: 'Test Card' })
  await expectToast(page, 'Error', 'Failed to fetch channel playlist')
  await expect(playlists.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
  await page.reload()
  await expectToast(page, 'Error', 'Failed to fetch channels')

  for (const videoId of videoIds) {
    await clientOf(web.url, token).call('POST /api/curation', { body: { videoId, sectionType: 'featured' } })
  }
  const curation = await context.newPage()
  await openTab(curation, 'home-screen')
  const featured = region(curation, 'Featured').getByRole('listitem')
  await expect(featured).toHaveCount(2)
  await curation.getByRole('list', { name: 'Videos to choose from' }).getByRole('button').first().click()
  await curation.getByLabel('Section', { exact: true }).selectOption({ label: 'Featured' })

  await web.station.halt('catalogue')
  await curation.getByRole('button', { name: 'Add to Home Screen' }).click()
  await expectToast(curation, 'Error', 'Failed to add video to home screen')
  // By keyboard, because a toast may slide in between pointer down and pointer up.
  await featured.first().getByRole('switch').press('Space')
  await expectToast(curation, 'Error', 'Failed to update video status')
  await featured.first().getByRole('button', { name: /down$/ }).press('Enter')
  await expectToast(curation, 'Error', 'Failed to update position')
  await featured
    .first()
    .getByRole('button', { name: /^Remove/ })
    .press('Enter')
  await expectToast(curation, 'Error', 'Failed to remove video from home screen')
  await expect(featured).toHaveCount(2)
  await expect(featured.first().getByText('Active', { exact: true })).toBeVisible()

  await library.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(library, 'Save Triggered')
  await expectToast(library, 'Save Failed', 'Failed to save configuration. Please try again.')
  await addByUrls(library, 'https://youtu.be/lostandfoun')
  await expectToast(library, 'Error processing videos', 'Please try again.')
  await library.keyboard.press('Escape')
  await library.getByLabel('Search the library').fill('anything')
  await expectToast(library, 'Error loading videos')
  await openTab(library, 'home-screen')
  await expectToast(library, 'Error', 'Failed to load home screen configuration')
})
