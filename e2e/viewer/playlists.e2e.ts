/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { ALLOW_AUTOPLAY, launchChromium } from '@looptide/testkit/browser'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { expectToast, goOffline, holdToast, newPerson, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation({ ANONYMOUS_SIGN_IN: 'on' })

const IDS = ['playlist001', 'playlist002', 'playlist003', 'playlist004'] as const
const TITLES = ['Amber Coast', 'Blue Hour', 'Copper Sky', 'Deep Water'] as const
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`

/** A video that is already in the library. */
const KNOWN = { id: 'playlist005', title: 'Evening Star' } as const

let owner: Viewer

test.beforeAll(async () => {
  IDS.forEach((id, index) => {
    web.youtube.set(id, { title: TITLES[index] ?? '', channel: 'The Travellers', durationS: 180 + index })
  })
  web.youtube.set(KNOWN.id, { title: KNOWN.title, channel: 'The Travellers' })
  owner = await signUp(web.url, 'owner')
  const admin = await signIn(web.url, testAdmin.email, testAdmin.password)
  await clientOf(web.url, admin).call('POST /api/videos', { body: { urls: [watch(KNOWN.id)] } })
})

/** Accepts all pending submissions as an admin. */
async function acceptSubmissions(): Promise<void> {
  const admin = await signIn(web.url, testAdmin.email, testAdmin.password)
  const { items } = await clientOf(web.url, admin).call('GET /api/submissions')
  const ids = items.map(({ video }) => video.id)
  await clientOf(web.url, admin).call('POST /api/submissions/accept', {
    body: { ids, category: 'YouTube Playlist' },
  })
}

/** By key: a toast may cover the tabs and stays while the pointer is on it. */
const openTab = (page: Page, name: 'Player' | 'Add Videos' | 'Playlists') =>
  page.getByRole('tab', { name, exact: true }).press('Enter')
const queue = (page: Page) => page.getByRole('region', { name: 'Queue' }).getByRole('listitem')
const details = (page: Page) => page.getByRole('region', { name: 'Playlist details' })
const player = (page: Page) => page.getByRole('region', { name: 'Player' })
const control = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Playback' }).getByRole('button', { name, exact: typeof name === 'string' })

async function addSingle(page: Page, address: string): Promise<void> {
  await page.getByLabel('YouTube URL').fill(address)
  await page.getByRole('button', { name: 'Add Video', exact: true }).click()
}

async function createPlaylist(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New Playlist' }).click()
  await page.getByLabel('Playlist Name').fill(name)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Playlist created successfully!')
  await expect(details(page).getByRole('heading', { name })).toBeVisible()
}

/** Position of the video in the frame (s); 0 without one. */
const positionS = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)

/** Seeks the video in the frame to its end. */
const playToEnd = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    if (video) video.currentTime = Math.max(0, video.duration - 0.2)
  })

test('visitors see the empty player and must sign in', async ({ page }) => {
  await page.goto(`${web.url}/youtube-player`)
  await expect(page.getByText('No videos loaded')).toBeVisible()
  await expect(page.getByText('Add some YouTube videos or select a playlist to start playing.')).toBeVisible()
  expect(await violationsInThemes(page), 'player').toEqual([])
  await openTab(page, 'Add Videos')
  await addSingle(page, watch(IDS[0]))
  await expectToast(page, 'Failed to add video', 'Please sign in')
  await openTab(page, 'Playlists')
  await expect(page.getByText('Select a playlist to view details and manage settings.')).toBeVisible()
  await page.getByRole('button', { name: 'New Playlist' }).click()
  await page.getByLabel('Playlist Name').fill('Nobody’s')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'You must be logged in to create playlists')
})

test('videos are added by URL, get their titles, and stay queued after a reload', async ({ page }) => {
  await signInDirectly(page, web.url, owner)
  await page.goto(`${web.url}/youtube-player?tab=add`)
  await addSingle(page, '')
  await expectToast(page, 'Please enter a YouTube URL')
  await addSingle(page, 'https://vimeo.com/1')
  await expectToast(page, 'Please enter a valid YouTube URL')
  await page.getByText('Bulk Import').click()
  const box = page.getByLabel('YouTube URLs')
  const addVideos = page.getByRole('button', { name: 'Add Videos', exact: true })
  await addVideos.click()
  await expectToast(page, 'Please enter YouTube URLs')
  await box.fill(' \n ')
  await addVideos.click()
  await expectToast(page, 'No valid URLs found')
  await box.fill(`${watch(IDS[0])}\nnonsense\nhttps://example.test`)
  await addVideos.click()
  await expectToast(page, '2 invalid URL(s) found. Please check your URLs.')
  await box.fill([watch(IDS[0]), '', `https://youtu.be/${IDS[1]}`].join('\n'))
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/videos', async (route) => {
    await seen.promise
    await route.continue()
  })
  await addVideos.click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
  seen.resolve()
  await expectToast(page, 'Added 2 videos successfully!')
  await holdToast(page, 'Added 2 videos successfully!')
  // They wait for the viewer, who is told so.
  await expect(player(page).getByText('Press Play to start')).toBeVisible()
  await page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('button', { name: 'Play', exact: true })
    .click()
  await expect(player(page).getByText('Press Play to start')).toBeHidden()
  await control(page, 'Pause').click()
  await page.getByText('Single URL').click()
  await addSingle(page, `${watch(IDS[2])}&list=PL123`)
  await expectToast(page, 'Video added successfully!')

  await openTab(page, 'Player')
  await expect(queue(page)).toHaveCount(3)
  await expect(queue(page).first().locator('..')).toHaveCSS('max-height', '384px')
  for (const [index, title] of TITLES.slice(0, 3).entries()) {
    await expect(queue(page).nth(index)).toContainText(title, { timeout: 30_000 })
  }
  await page.reload()
  await expect(queue(page)).toHaveText([/1Amber Coast/, /2Blue Hour/, /3Copper Sky/])
  await expect(player(page).getByText('Video 1 of 3')).toBeVisible()
})

test('next, previous, loop and shuffle work and show toasts', async () => {
  // Playback continues after a reload only where the browser allows it; otherwise the player shows its Play button. A
  // browser of the test's own: other options for all tests of the file would start another worker for it, after all others.
  const browser = await launchChromium({ args: [ALLOW_AUTOPLAY] })
  const page = await browser.newPage()
  // The next video begins where this one ends.
  await page.addInitScript(() => {
    window.fakeYouTubeOptions = { repeats: false }
  })
  await signInDirectly(page, web.url, owner)
  await page.goto(`${web.url}/youtube-player?tab=add`)
  for (const id of IDS.slice(0, 3)) {
    await addSingle(page, watch(id))
    await expect(page.getByLabel('YouTube URL')).toHaveValue('')
  }
  await openTab(page, 'Player')
  await control(page, 'Play').click()
  await expect(control(page, 'Pause')).toBeVisible()
  await control(page, 'Previous').click()
  await expect(player(page).getByText('Video 3 of 3')).toBeVisible()
  await control(page, 'Next').click()
  // Without playlist loop, Next does nothing on the last video.
  await expect(player(page).getByText('Video 3 of 3')).toBeVisible()
  await queue(page).nth(0).getByRole('button').click()
  await expect(player(page).getByText('Video 1 of 3')).toBeVisible()
  await expect(control(page, 'Pause')).toBeVisible()
  await expect.poll(() => positionS(page)).toBeGreaterThan(0)

  // Playback continues after a reload, and a paused video stays paused.
  const middleS = await page.evaluate(() => {
    const video = document.querySelector('video')
    if (video) video.currentTime = video.duration / 2
    return video?.currentTime ?? 0
  })
  await expect.poll(() => positionS(page)).toBeGreaterThan(middleS + 0.5)
  await page.reload()
  const first = await page.waitForFunction(() => document.querySelector('video')?.currentTime)
  expect(await first.jsonValue()).toBeGreaterThan(middleS)
  await control(page, 'Pause').click()
  await expect(control(page, 'Play')).toBeVisible()
  await page.reload()
  await expect(player(page).getByRole('button', { name: /^Play / })).toBeVisible()
  await control(page, 'Play').click()
  await expect(control(page, 'Pause')).toBeVisible()

  await expect.poll(() => positionS(page)).toBeGreaterThan(middleS)
  await playToEnd(page)
  await expect(player(page).getByText('Video 2 of 3')).toBeVisible()
  await control(page, 'Loop: off').click()
  await expectToast(page, 'Loop single video')
  await expect(page.getByRole('group', { name: 'Playback' }).getByText('1', { exact: true })).toBeVisible()
  await control(page, 'Loop: single').click()
  await expectToast(page, 'Loop playlist')
  await control(page, 'Shuffle').click()
  await expectToast(page, 'Shuffle enabled')
  // The rest of the shuffled order has every other video once.
  const seen = new Set([await player(page).getByRole('heading').textContent()])
  for (let step = 0; step < 2; step += 1) {
    const before = await player(page).getByRole('heading').textContent()
    await control(page, 'Next').click()
    await expect(player(page).getByRole('heading')).not.toHaveText(before ?? '')
    seen.add(await player(page).getByRole('heading').textContent())
  }
  expect(seen).toEqual(new Set(TITLES.slice(0, 3)))
  await control(page, 'Shuffle').click()
  await expectToast(page, 'Shuffle disabled')
  await control(page, 'Loop: playlist').click()
  await expectToast(page, 'Loop disabled')

  await control(page, 'Pause').click()
  await expect(control(page, 'Play')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('No videos loaded')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(queue(page)).toHaveCount(3)
  await browser.close()
})

test('a playlist is created, filled, configured, ordered, played, published and deleted', async ({
  page,
  browser,
}) => {
  await signInDirectly(page, web.url, owner)
  await page.goto(`${web.url}/youtube-player?tab=playlists`)
  await expect(page.getByText('No playlists yet. Create your first playlist!')).toBeVisible()
  await page.getByRole('button', { name: 'New Playlist' }).click()
  await page.getByLabel('Playlist Name').fill('   ')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Please enter a playlist name')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await createPlaylist(page, 'Road Trip')
  await expect(details(page).getByText('No videos in this playlist yet.')).toBeVisible()
  await expect(details(page).getByRole('switch', { name: 'Auto Advance' })).toBeChecked()
  await expect(details(page).getByRole('switch', { name: 'Shuffle Mode' })).not.toBeChecked()
  await expect(details(page).getByRole('switch', { name: 'Public Playlist' })).not.toBeChecked()
  await expect(details(page).getByRole('radio', { name: 'Off' })).toBeChecked()

  await details(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expectToast(page, 'Playing "Road Trip"')
  await expect(page.getByText('No videos in playlist')).toBeVisible()
  await openTab(page, 'Add Videos')
  for (const id of IDS) {
    await addSingle(page, watch(id))
    await expect(page.getByLabel('YouTube URL')).toHaveValue('')
  }
  await expectToast(page, 'Video added to current playlist!')

  await openTab(page, 'Playlists')
  await expect(details(page).getByRole('heading', { name: 'Videos (4)' })).toBeVisible()
  await expect(details(page).getByRole('list')).toHaveCSS('max-height', '256px')
  const lines = details(page).getByRole('list').getByRole('listitem')
  await expect(lines).toHaveText(
    TITLES.map((title) => new RegExp(title)),
    { timeout: 30_000 },
  )
  // A removal waits for the response to the new order, which contains the removed entry.
  const held = Promise.withResolvers<void>()
  await page.route('**/items/order', async (route) => {
    await held.promise
    await route.continue()
  })
  const ordered = page.waitForResponse('**/items/order')
  await details(page).getByRole('button', { name: 'Move Copper Sky up' }).click()
  await expect(lines.nth(1)).toContainText('Copper Sky')
  await details(page).getByRole('button', { name: 'Remove Copper Sky' }).click()
  await expect(lines).toHaveCount(3)
  held.resolve()
  expect((await ordered).ok()).toBe(true)
  await expectToast(page, 'Video removed from playlist', 'Copper Sky')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(lines.nth(1)).toContainText('Copper Sky')

  await details(page).getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Playlist Name').fill('Long Road')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(details(page).getByRole('heading', { name: 'Long Road' })).toBeVisible()

  // The player applies settings of the playlist, and the playlist stores settings of the player.
  await details(page).getByRole('switch', { name: 'Shuffle Mode' }).click()
  await expectToast(page, 'Playlist updated successfully!')
  await expect(control(page, 'Shuffle')).toHaveAttribute('aria-pressed', 'true')
  await control(page, 'Loop: off').click()
  const mine = page.getByRole('region', { name: 'Your Playlists' })
  await expect(mine.getByText('Loop single')).toBeVisible()
  await expect(mine.getByText('Shuffle', { exact: true })).toBeVisible()
  await expect(details(page).getByRole('radio', { name: 'Single' })).toBeChecked()
  expect(await violationsInThemes(page), 'playlists').toEqual([])

  const visitors = await browser.newContext()
  const visitor = await visitors.newPage()
  await details(page).getByRole('link', { name: 'View page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Long Road' })).toBeVisible()
  const address = page.url()
  await visitor.goto(address)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Playlist not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await details(page).getByRole('switch', { name: 'Public Playlist' }).click()
  await expect(mine.getByText('Public', { exact: true })).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1, name: 'Long Road' })).toBeVisible()
  // Videos added by the owner await review: other users do not see them before they are accepted.
  const shown = visitor.getByRole('list', { name: 'Videos' }).getByRole('listitem')
  await expect(visitor.getByText('0 videos')).toBeVisible()
  await expect(shown).toHaveCount(0)
  await acceptSubmissions()
  await visitor.reload()
  await expect(shown).toHaveCount(4)
  await expect(visitor.getByText(owner.email)).toBeHidden()
  expect(await violationsInThemes(visitor), 'public page').toEqual([])
  await visitor.getByRole('link', { name: 'Play', exact: true }).click()
  await expectToast(visitor, 'Sign In Required', 'Please sign in to watch videos')
  await visitors.close()

  page.once('dialog', (dialog) => {
    expect(dialog.message()).toBe('Are you sure you want to delete this playlist?')
    void dialog.accept()
  })
  await mine.getByRole('button', { name: 'Delete Long Road' }).click()
  await expectToast(page, 'Playlist deleted successfully!')
  await expect(page.getByText('Select a Playlist', { exact: true })).toBeVisible()
})

test('the URL of the player opens its playlist in a fresh browser, and follows what is loaded', async ({
  page,
}) => {
  const client = clientOf(web.url, owner.accessToken)
  const { id } = await client.call('POST /api/playlists', { body: { name: 'Night Drive' } })
  const { items } = await client.call('GET /api/videos', { query: { q: KNOWN.title } })
  await client.call('POST /api/playlists/:id/items', {
    params: { id },
    body: { videoId: items[0]?.id ?? '' },
  })
  await signInDirectly(page, web.url, owner)
  await page.goto(`${web.url}/youtube-player?playlist=${id}`)
  await expectToast(page, 'Playing "Night Drive"')
  await expect(queue(page)).toHaveText([/1Evening Star/])
  await expect(page).toHaveURL(`${web.url}/youtube-player?playlist=${id}`)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page).toHaveURL(`${web.url}/youtube-player`)
  await client.call('DELETE /api/playlists/:id', { params: { id } })
})

test('failures are shown: no network, a playlist deleted elsewhere, a restricted account', async ({
  page,
}) => {
  await signInDirectly(page, web.url, owner)
  await page.goto(`${web.url}/youtube-player?tab=playlists`)
  await createPlaylist(page, 'Fragile')
  await openTab(page, 'Add Videos')
  await goOffline(page)
  await addSingle(page, watch(IDS[0]))
  await expectToast(page, 'Failed to add video')
  await openTab(page, 'Playlists')
  await details(page).getByRole('switch', { name: 'Public Playlist' }).click()
  await expectToast(page, 'Failed to update playlist')
  await expect(details(page).getByRole('switch', { name: 'Public Playlist' })).not.toBeChecked()
  await details(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expectToast(page, 'Failed to load playlist videos')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Delete Fragile' }).click()
  await expectToast(page, 'Failed to delete playlist')
  await page.getByRole('button', { name: 'New Playlist' }).click()
  await page.getByLabel('Playlist Name').fill('Never')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Failed to create playlist')
  await page.context().setOffline(false)

  await page.goto(`${web.url}/youtube-player?tab=add`)
  await goOffline(page)
  await openTab(page, 'Playlists')
  await expectToast(page, 'Failed to load playlists')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  // The list is loaded again when the network is back.
  await page.context().setOffline(false)
  await page.getByRole('button', { name: /^Fragile/ }).click()

  await details(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByText('No videos in playlist')).toBeVisible()
  await clientOf(web.url, owner.accessToken).call('DELETE /api/playlists/:id', {
    params: { id: new URL(page.url()).searchParams.get('playlist') ?? '' },
  })
  await openTab(page, 'Add Videos')
  await addSingle(page, watch(IDS[0]))
  await expectToast(page, 'Failed to add video to playlist')

  await page.goto(`${web.url}/youtube-player?tab=playlists`)
  await createPlaylist(page, 'Sturdy')
  const adminToken = await signIn(web.url, testAdmin.email, testAdmin.password)
  await clientOf(web.url, adminToken).call('POST /api/users/:id/restrictions', {
    params: { id: owner.id },
    body: {
      restrictionType: 'restricted',
      reason: 'Noise',
    },
  })
  const publicSwitch = details(page).getByRole('switch', { name: 'Public Playlist' })
  await expect(async () => {
    // An attempt before the catalogue has applied the restriction has made it public.
    if (await publicSwitch.isChecked()) await publicSwitch.click()
    await expect(publicSwitch).not.toBeChecked()
    await publicSwitch.click()
    await expectToast(page, 'Failed to update playlist', 'Your account is restricted')
  }).toPass()
  await openTab(page, 'Add Videos')
  await addSingle(page, watch(IDS[0]))
  await expectToast(page, 'Failed to add video', 'Your account is restricted')
})

test('Add to List works with one press, undo and other lists, in two tabs', async ({ page, context }) => {
  await page.goto(`${web.url}/videos`)
  await page.getByRole('button', { name: /Evening Star/ }).click()
  await page.getByRole('button', { name: 'Add to List' }).click()
  await expectToast(page, 'Sign In Required')
  await page.keyboard.press('Escape')

  await signInDirectly(page, web.url, await signUp(web.url, 'lister'))
  const second = await context.newPage()
  const openVideo = async (tab: Page) => {
    await tab.goto(`${web.url}/videos`)
    await tab.getByRole('button', { name: /Evening Star/ }).click()
    await expect(tab.getByRole('button', { name: 'Add to List' })).toBeVisible()
  }
  await openVideo(page)
  await openVideo(second)
  await Promise.all([page, second].map((tab) => tab.getByRole('button', { name: 'Add to List' }).click()))
  await expect(page.getByRole('button', { name: 'In My List' })).toBeVisible()
  await expect(second.getByRole('button', { name: 'In My List' })).toBeVisible()
  await second.close()
  await page.reload()
  await page
    .getByRole('button', { name: 'In My List' })
    .or(page.getByRole('button', { name: /Evening Star/ }))
    .first()
    .click()
  await page.getByRole('button', { name: 'Choose a playlist' }).click()
  const lists = page.getByRole('menu').getByRole('menuitemcheckbox')
  await expect(lists).toHaveCount(1)
  await expect(lists).toBeChecked()
  expect(await violationsInThemes(page), 'menu').toEqual([])
  await lists.click()
  await expectToast(page, 'Video removed from My List', 'Evening Star')
  await expect(lists).not.toBeChecked()
  await page.getByRole('menuitem', { name: 'New playlist...' }).click()
  await page.getByLabel('Playlist Name').fill('Mornings')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Video added to Mornings', 'Evening Star')
  await page.getByRole('button', { name: 'Add to List' }).click()
  await expectToast(page, 'Video added to My List', 'Evening Star')
  await page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('button', { name: 'Undo' })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Add to List' })).toBeVisible()
})

test('a viewer without an account keeps a playlist by creating one', async ({ browser, page }) => {
  await page.goto(web.url)
  const section = (name: string) => page.getByRole('region', { name })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Continue without an account')
  const account = page.getByRole('button', { name: 'Account', exact: true })
  await expect(account).toBeVisible()
  await page.goto(`${web.url}/videos`)
  await page.getByRole('button', { name: /Evening Star/ }).click()
  await press('Add to List')
  await expect(page.getByRole('button', { name: 'In My List' })).toBeVisible()

  await page.goto(`${web.url}/live`)
  await press('Chat')
  await expect(page.getByText('Create an account to write in the chat.')).toBeVisible()
  await expect(page.getByLabel('Message', { exact: true })).toBeHidden()
  await page.goto(`${web.url}/videos`)
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out and lose your playlists?' })
  await question.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  const pages = page.getByRole('navigation', { name: 'My Profile' }).getByRole('link')
  await expect(pages).toHaveText(['Profile', 'Playlists', 'Reminders', 'Devices', 'Your data'])
  await pages.filter({ hasText: 'Devices' }).click()
  await expect(section('Your devices')).not.toContainText('password')
  await press('Sign out this device')
  await question.getByRole('button', { name: 'Cancel' }).click()

  const admin = await (await browser.newContext()).newPage()
  await signInDirectly(admin, web.url, testAdmin)
  await admin.goto(`${web.url}/admin?tab=user-management`)
  const users = admin.getByRole('list', { name: 'Users' }).getByRole('listitem')
  const anonymous = users.filter({ hasText: 'No account' })
  await expect(anonymous.getByRole('button', { name: /^Ban / })).toBeVisible()
  await expect(anonymous.getByRole('button', { name: /change role|^Sign-in/ })).toHaveCount(0)
  await admin.context().close()

  const { email } = newPerson('keeper')
  await pages.filter({ hasText: 'Profile' }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await press('Add Email')
  const known = page.waitForResponse('**/api/me')
  await page.goto((await web.nextMail(email)).link)
  await known
  // The new profile arrives after the code of its page.
  const confirmed = Promise.withResolvers<void>()
  await page.route('**/api/me', async (route) => {
    await confirmed.promise
    await route.continue()
  })
  await press('Confirm')
  await expectToast(page, 'Email Confirmed')
  confirmed.resolve()
  await expect(page.getByText(`Signed in as ${email}`)).toBeVisible()
  await pages.filter({ hasText: 'Playlists' }).click()
  await expect(page.getByRole('main')).toContainText('My List')
  await page.goto(`${web.url}/live`)
  await press('Chat')
  await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
})

test('on a phone, with the keyboard only, a video is added and played', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInDirectly(page, web.url, await signUp(web.url, 'thumbs'))
  await page.goto(`${web.url}/youtube-player?tab=add`)
  // On a busy machine the panel is shown after its tab.
  await expect(page.getByLabel('YouTube URL')).toBeVisible()
  await page.getByRole('tab', { name: 'Add Videos' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByLabel('YouTube URL')).toBeFocused()
  await page.keyboard.type(watch(IDS[1]))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Video added successfully!')
  const header = await page.getByRole('banner').boundingBox()
  const message = page.getByRole('region', { name: /^Messages/ }).getByRole('listitem')
  await expect
    .poll(async () => (await message.first().boundingBox())?.y, { message: 'the toast is below the header' })
    .toBeGreaterThanOrEqual(header?.height ?? Number.POSITIVE_INFINITY)
  await page.getByRole('tab', { name: 'Add Videos' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Player', exact: true })).toBeFocused()
  const play = page.getByRole('button', { name: /^Play / })
  await expect(play).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(play).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(control(page, 'Pause')).toBeVisible()
  // Nothing overflows the narrow screen.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
