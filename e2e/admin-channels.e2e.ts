import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { testAdmin } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { expect, type Page, test } from '@playwright/test'
import { askAsAdmin, startChannel } from './support/channels.ts'
import { complaints } from './support/complaints.ts'
import { signIn } from './support/people.ts'
import { expectToast, signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

/** Long ones: nothing ends while the test runs. */
const SONGS = [
  { id: 'channels001', title: 'Amber Coast', channel: 'Anna' },
  { id: 'channels002', title: 'Blue Hour', channel: 'Bert' },
  { id: 'channels003', title: 'Copper Sky', channel: 'Cleo' },
  { id: 'channels004', title: 'Deep Water', channel: 'Dora' },
] as const

let token: string
let videoIds: string[]

test.beforeAll(async () => {
  for (const { id, ...facts } of SONGS) web.youtube.set(id, { ...facts, durationS: 1200 })
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const urls = SONGS.map(({ id }) => `https://www.youtube.com/watch?v=${id}`)
  const { lines }: AddVideosResult = await askAsAdmin(web.url, token, 'POST', '/api/videos', { urls })
  videoIds = lines.map(({ video }) => video?.id ?? '')
  await until('YouTube has told of all of them', async () => {
    const { items } = await askAsAdmin(web.url, token, 'GET', '/api/videos?all=true')
    return SONGS.every(({ title }) => items.some((video: { title: string }) => video.title === title))
  })
})

const manager = (page: Page) => page.getByRole('region', { name: 'Channel Manager' })
const playlists = (page: Page) => page.getByRole('region', { name: 'Channel Playlist Manager' })
const channel = (page: Page, name: string) => manager(page).getByRole('listitem', { name })
const rows = (page: Page) => playlists(page).getByRole('list', { name: 'Playlist' }).getByRole('listitem')
const handle = (page: Page, title: string) =>
  playlists(page).getByRole('button', { name: `Drag to reorder: ${title}` })
const preview = (page: Page) => playlists(page).getByRole('region', { name: 'What viewers will see' })
const coming = (page: Page) => preview(page).getByRole('list', { name: 'Next hours' }).getByRole('listitem')
const button = (page: Page, name: string | RegExp) =>
  playlists(page).getByRole('button', { name, exact: true })

async function openDesk(page: Page): Promise<void> {
  await signInByForm(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=channels`)
  await expect(manager(page)).toBeVisible()
}

test('channels are created, renamed, switched off and on, and deleted after a question', async ({ page }) => {
  await openDesk(page)
  await manager(page).getByLabel('Name').fill('  Night Drive ')
  await manager(page).getByLabel('Description (optional)').fill('Slow roads')
  await manager(page).getByRole('button', { name: 'Create Channel' }).click()
  await expectToast(page, 'Channel Created', 'Night Drive')
  const row = channel(page, 'Night Drive')
  await expect(row).toContainText('Slow roads')
  await row.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Night Drive' })
  await dialog.getByLabel('Name').fill('Day Drive')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Channel Updated', 'Day Drive')

  const choice = playlists(page).getByLabel('Channel', { exact: true })
  const renamed = channel(page, 'Day Drive')
  await expect(choice).toContainText('Day Drive')
  await renamed.getByRole('button', { name: 'Deactivate' }).click()
  await expect(renamed).toContainText('Inactive')
  await expect(choice).not.toContainText('Day Drive')
  await renamed.getByRole('button', { name: 'Activate' }).click()
  await expect(choice).toContainText('Day Drive')
  expect(await complaints(page), 'channels').toEqual([])

  // Somebody else was faster: what is gone cannot be changed.
  const { items } = await askAsAdmin(web.url, token, 'GET', '/api/channels')
  const { id } = items.find(({ name }: { name: string }) => name === 'Day Drive')
  await page.route(`**/api/channels/${id}`, (route) => route.abort())
  await renamed.getByRole('button', { name: 'Deactivate' }).click()
  await expectToast(page, 'Failed to update channel.')
  await renamed.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Day Drive?' })
  await question.getByRole('button', { name: 'Delete channel' }).click()
  await expectToast(page, 'Failed to delete channel.')
  await page.unroute(`**/api/channels/${id}`)
  await renamed.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete channel' }).click()
  await expectToast(page, 'Channel Deleted', 'Day Drive')
  await expect(renamed).toBeHidden()
})

test('a playlist is changed by mouse, keys and buttons; its effect is seen first, and viewers see it at once', async ({
  page,
  browser,
}) => {
  const id = await startChannel(web.url, token, 'Long Songs', videoIds.slice(0, 3))
  const viewer = await browser.newPage()
  await viewer.goto(`${web.url}/live?channel=${id}`)
  const upNext = viewer.getByRole('region', { name: 'Up Next' }).getByRole('listitem')
  await expect(upNext).toContainText(['Blue Hour', 'Copper Sky'])

  await openDesk(page)
  await playlists(page).getByLabel('Channel', { exact: true }).selectOption({ label: 'Long Songs' })
  await expect(rows(page)).toHaveCount(3)
  await expect(coming(page).first()).toContainText('On now, stays')
  await expect(preview(page)).toContainText('Nothing changes.')

  // By mouse.
  const from = await handle(page, 'Copper Sky').boundingBox()
  const to = await handle(page, 'Amber Coast').boundingBox()
  if (!from || !to) throw new Error('the rows are not in the page')
  await page.mouse.move(from.x + 10, from.y + 30)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + 20)
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 8 })
  await page.mouse.up()
  await expect(rows(page)).toContainText(['Copper Sky', 'Amber Coast', 'Blue Hour'])
  await expect(preview(page)).toContainText('No artist follows itself.')
  await button(page, 'Discard').click()
  await expect(rows(page)).toContainText(['Amber Coast', 'Blue Hour', 'Copper Sky'])

  // By keys.
  await handle(page, 'Blue Hour').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(rows(page)).toContainText(['Amber Coast', 'Copper Sky', 'Blue Hour'])
  await expect(preview(page)).toContainText('The programme changes from')
  await expect(coming(page)).toContainText([/Amber Coast/, /Copper Sky.*Moved, was at/s])
  await expect(upNext).toContainText(['Blue Hour', 'Copper Sky'])
  await button(page, 'Save').click()
  await expectToast(page, 'Playlist order updated')
  await expect(upNext).toContainText(['Copper Sky', 'Blue Hour'])
  expect(await complaints(page), 'playlist').toEqual([])

  // Several are added, and the preview says what they will do.
  await button(page, 'Add Videos').click()
  const picker = page.getByRole('dialog', { name: 'Add Videos to Long Songs' })
  await picker.getByLabel('Find public videos').fill('Dora')
  await picker.getByRole('checkbox', { name: /Deep Water/ }).check()
  await expect(picker.getByRole('list', { name: 'Next hours' })).toContainText('New in these hours')
  expect(await complaints(page), 'picker').toEqual([])
  await picker.getByRole('button', { name: 'Add to playlist' }).click()
  await expectToast(page, 'Video added to playlist')
  await expect(rows(page)).toHaveCount(4)

  // Why is it on?
  await button(page, 'Why is this on? Copper Sky').first().click()
  const why = page.getByRole('dialog', { name: 'Why is this on?' })
  await expect(why).toContainText('In the order of the playlist')
  await expect(why).toContainText('The playlist was changed')
  await page.keyboard.press('Escape')

  // At once, and taken back.
  await playlists(page).getByRole('switch', { name: 'Review changes before saving' }).click()
  await button(page, 'Remove: Copper Sky').click()
  await expectToast(page, 'Video removed from playlist', 'Copper Sky')
  await expect(rows(page)).toContainText(['Amber Coast', 'Blue Hour', 'Deep Water'])
  await expect(upNext).toContainText(['Blue Hour', 'Deep Water'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toContainText(['Amber Coast', 'Copper Sky', 'Blue Hour', 'Deep Water'])
  await playlists(page).getByRole('switch', { name: 'Shuffle' }).click()
  await expectToast(page, 'Shuffle enabled for channel')
  await playlists(page).getByRole('switch', { name: 'Shuffle' }).click()
  await expectToast(page, 'Shuffle disabled for channel')

  // Each failure in its own words, and the list as the server has it.
  await page.route(`**/api/channels/${id}**`, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  await button(page, 'Move up: Deep Water').click()
  await expectToast(page, 'Failed to update playlist order')
  await expect(rows(page)).toContainText(['Amber Coast', 'Copper Sky', 'Blue Hour', 'Deep Water'])
  await button(page, 'Remove: Blue Hour').click()
  await expectToast(page, 'Failed to remove video from playlist')
  await playlists(page).getByRole('switch', { name: 'Shuffle' }).click()
  await expectToast(page, 'Failed to update shuffle setting')
  await button(page, 'Add Videos').click()
  await picker.getByRole('checkbox', { name: /Amber Coast/ }).check()
  await picker.getByRole('button', { name: 'Add to playlist' }).click()
  await expectToast(page, 'Failed to add video to playlist')
  await expect(rows(page)).toHaveCount(4)
  await viewer.close()
})
