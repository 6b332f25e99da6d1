import { withClient } from '@looptide/backing/database/set-up'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Page } from '@playwright/test'
import { violationsInThemes } from '../support/accessibility.ts'
import { startChannel } from '../support/channels.ts'
import { dragToPlace, dragToPlaceByTouch, dropAnimation } from '../support/drag.ts'
import { signIn } from '../support/people.ts'
import { png } from '../support/png.ts'
import { expectToast, holdToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

/** Long videos, so that none ends during a test. The last one is removed from YouTube. */
const SONGS = [
  { id: 'channels001', title: 'Amber Coast', channel: 'Anna' },
  { id: 'channels002', title: 'Blue Hour', channel: 'Bert' },
  { id: 'channels003', title: 'Copper Sky', channel: 'Cleo' },
  { id: 'channels004', title: 'Copper Moon', channel: 'Cleo' },
  { id: 'channels005', title: 'Gone', channel: 'Nobody', state: 'removed' },
] as const

let token: string
let videoIds: string[]

test.beforeAll(async () => {
  for (const { id, ...facts } of SONGS) web.youtube.set(id, { ...facts, durationS: 1200 })
  token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const urls = SONGS.map(({ id }) => `https://www.youtube.com/watch?v=${id}`)
  const { lines }: AddVideosResult = await clientOf(web.url, token).call('POST /api/videos', {
    body: { urls },
  })
  videoIds = lines.map(({ video }) => video?.id ?? '')
  await until('the metadata of all videos is fetched', async () => {
    const statusOf = async (id: string) =>
      (await clientOf(web.url, token).call('GET /api/videos/:id', { params: { id } })).metadataStatus
    return (await Promise.all(videoIds.map(statusOf))).every((status) => status !== 'pending')
  })
})

const manager = (page: Page) => page.getByRole('region', { name: 'Channel Manager' })
const playlists = (page: Page) => page.getByRole('region', { name: 'Channel Playlist Manager' })
const channel = (page: Page, name: string) => manager(page).getByRole('listitem', { name })
const rows = (page: Page) => playlists(page).getByRole('list', { name: 'Playlist' }).getByRole('listitem')
const handle = (page: Page, title: string) =>
  playlists(page).getByRole('button', { name: `Drag to reorder: ${title}` })
const preview = (page: Page) => playlists(page).getByRole('region', { name: 'What viewers will see' })
const coming = (page: Page) =>
  preview(page).getByRole('list', { name: 'Upcoming programmes' }).getByRole('listitem')
const button = (page: Page, name: string) => playlists(page).getByRole('button', { name, exact: true })

async function openChannels(page: Page): Promise<void> {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin?tab=channels`)
  await expect(manager(page)).toBeVisible()
}

/** Selects a channel and waits for its playlist. */
async function selectChannel(page: Page, name: string, count: number): Promise<void> {
  await playlists(page).getByLabel('Channel', { exact: true }).selectOption({ label: name })
  await expect(rows(page)).toHaveCount(count)
}

/** Enters four airings of today into the air log of a channel: a song three times, an hour apart, and another one. */
async function airFourTimes(channelId: string): Promise<void> {
  await withClient(web.station.databaseUrl, async (client) => {
    await client.query(
      `insert into scheduler.air_log (channel_id, seq, round_seq, item_id, video_id, title, artist_name,
         started_at_ms, ended_at_ms, listeners)
       select $1, -n, 1, gen_random_uuid(), case n when 4 then $3::uuid else $2::uuid end,
         case n when 4 then 'Blue Hour' else 'Amber Coast' end, 'Somebody',
         (extract(epoch from now()) * 1000)::bigint - n * 3600000, (extract(epoch from now()) * 1000)::bigint - n * 3600000 + 180000,
         n * 10
       from generate_series(1, 4) n`,
      [channelId, videoIds[0], videoIds[1]],
    )
  })
}

/** Enters two airings of the last hours with what viewers did into the statistics of a channel. */
async function watchTwice(channelId: string): Promise<void> {
  await withClient(web.station.databaseUrl, async (client) => {
    await client.query(
      `insert into audience.airings (channel_id, seq, airing_id, video_id, starts_at, ends_at, title, artist_name,
         viewers_at_start, viewers_at_end, joins, leaves, reaction_count, likes, messages, requests, is_counted)
       select $1, 1000 + n, '', gen_random_uuid(), now() - n * interval '1 minute', now() - (n - 1) * interval '1 minute',
         'Song ' || n, 'Somebody', 10, 9, 4, 6, 3, n, 5, 1, true
       from generate_series(1, 2) n`,
      [channelId],
    )
  })
}

test('a channel has a page with what is on, playlist, schedule, chat, reports and settings, where it is copied as well', async ({
  page,
}) => {
  const { id } = await clientOf(web.url, token).call('POST /api/channels', { body: { name: 'Original' } })
  await clientOf(web.url, token).call('POST /api/channels/:id/playlist', {
    params: { id },
    body: { videoIds: videoIds.slice(0, 2) },
  })
  await openChannels(page)
  await page.getByRole('link', { name: 'All channels' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Channels' })).toBeVisible()
  await channel(page, 'Original').getByRole('link', { name: 'Original', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Original' })).toBeVisible()
  const panel = page.getByRole('tabpanel').first()
  const openTab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
  await expect(page.getByText('0 watching'), 'once, beside the title').toHaveCount(1)
  await expect(panel.getByRole('region', { name: 'What viewers will see' })).toContainText('No changes.')
  await openTab('Playlist')
  await expect(panel.getByRole('list', { name: 'Playlist' }).getByRole('listitem')).toHaveCount(2)
  await openTab('Schedule')
  await expect(panel.getByRole('button', { name: 'Start a schedule' })).toBeVisible()
  await openTab('Chat')
  await expect(panel.getByRole('region', { name: 'Chat' }).getByRole('log')).toBeVisible()
  await expect(page.getByText('0 watching').first(), 'beside the title, on each tab').toBeVisible()
  await openTab('Reports')
  await expect(panel).toContainText('Nothing was on the air in this period')
  await airFourTimes(id)
  await watchTwice(id)
  await panel.getByLabel('Period').selectOption({ label: 'Last 28 days' })
  const airedMost = panel.getByRole('region', { name: 'Videos' }).getByRole('row').nth(1)
  await expect(airedMost).toContainText('Amber Coast')
  await expect(airedMost.getByRole('cell')).toHaveText(['3', '1 h 0 min', '20'])
  await expect(
    panel.getByRole('img', { name: 'Viewers, joins, leaves and reactions of each day' }),
  ).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Royalty log (CSV)' }).click()
  expect((await download).suggestedFilename()).toMatch(/^airings original .* to .*\.csv$/)
  const did = panel.getByRole('region', { name: 'What viewers did' })
  await did.getByRole('button', { name: 'Likes' }).click()
  await expect(did.getByRole('columnheader', { name: 'Likes' })).toHaveAttribute('aria-sort', 'descending')
  const table = did.getByRole('region', { name: 'Table of statistics' }).getByRole('row')
  await expect(table.nth(1)).toContainText('Whole period')
  const liked = table.nth(2)
  await expect(liked.getByRole('link')).toHaveText('Song 2 – Somebody')
  await expect(liked.getByRole('cell')).toHaveText(['10', '9', '4', '6', '43%', '3', '2', '5', '1'])
  await did.getByRole('tab', { name: 'By airing' }).press('End')
  await expect(did.getByRole('tab', { name: 'By day' })).toHaveAttribute('aria-selected', 'true')
  await expect(did.getByRole('link', { name: 'Most liked: Song 2 – Somebody' }).first()).toBeVisible()
  const statistics = page.waitForEvent('download')
  await did.getByRole('button', { name: 'Download CSV' }).click()
  expect((await statistics).suggestedFilename()).toBe('viewers original by day.csv')
  await openTab('Settings')
  await page.reload()
  await panel.getByLabel('Description (optional)').fill('The first of two')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Channel Updated', 'Original')
  await panel.getByRole('button', { name: 'Copy' }).click()
  const name = page.getByLabel('Name of the copy')
  await expect(name).toBeFocused()
  await name.fill('Echo')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Channel Created', 'Echo')
  await page.getByRole('link', { name: 'Channels' }).click()
  await expect(channel(page, 'Original')).toContainText('The first of two')
  await page.getByRole('link', { name: 'Admin Dashboard' }).click()
  await selectChannel(page, 'Echo', 2)
  for (const path of [id, 'echo'])
    await clientOf(web.url, token).call('DELETE /api/channels/:id', { params: { id: path } })
})

test('without the code of its chart, the table of what viewers did can be read and sorted', async ({
  page,
}) => {
  const { id } = await clientOf(web.url, token).call('POST /api/channels', { body: { name: 'Uncharted' } })
  await watchTwice(id)
  const { promise: isWaited, resolve: answer } = Promise.withResolvers<void>()
  await page.route(/\/plot-[^/]+\.js$/, async (route) => {
    await isWaited
    await route.abort()
  })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin/channels/${id}?view=reports`)
  const did = page.getByRole('region', { name: 'What viewers did' })
  const table = did.getByRole('region', { name: 'Table of statistics' }).getByRole('row')
  await expect(table.nth(1)).toContainText('Whole period')
  await expect(did.getByRole('status', { name: 'Loading chart' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  answer()
  await expect(did.getByText('The chart could not be loaded.')).toBeVisible()
  await did.getByRole('button', { name: 'Likes' }).click()
  await expect(table.nth(2).getByRole('link')).toHaveText('Song 2 – Somebody')
  await page.unroute(/\/plot-[^/]+\.js$/)
  await did.getByRole('button', { name: 'Try again' }).click()
  await expect(did.getByRole('img', { name: /^Viewers, joins, leaves and reactions/ })).toBeVisible()
  await clientOf(web.url, token).call('DELETE /api/channels/:id', { params: { id } })
})

test('on a phone, the open tab of a channel is in the visible part of the list', async ({ page }) => {
  const id = await startChannel(web.url, token, 'Narrow', videoIds.slice(0, 1))
  await page.setViewportSize({ width: 390, height: 844 })
  await signInDirectly(page, web.url, testAdmin)
  for (const [view, name] of [
    ['settings', 'Settings'],
    ['reports', 'Reports'],
    ['now', 'On now'],
  ] as const) {
    await page.goto(`${web.url}/admin/channels/${id}?view=${view}`)
    const tab = page.getByRole('tab', { name })
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect(tab).toBeInViewport({ ratio: 1 })
  }
  await clientOf(web.url, token).call('DELETE /api/channels/:id', { params: { id } })
})

test('channels are created, renamed, deactivated, activated and deleted, and viewers see each change in the switcher', async ({
  page,
  browser,
}) => {
  const viewer = await browser.newPage()
  await viewer.goto(`${web.url}/live?channel=test-card`)
  await viewer.getByRole('button', { name: /^Channels/ }).click()
  const switcher = viewer.getByRole('dialog', { name: 'Channels' })
  await expect(switcher.getByRole('listitem')).toHaveCount(2)

  await openChannels(page)
  await manager(page).getByLabel('Name').fill('  Night Drive ')
  await manager(page).getByLabel('Description (optional)').fill('Slow roads')
  await manager(page).getByRole('button', { name: 'Create Channel' }).click()
  await expectToast(page, 'Channel Created', 'Night Drive')
  await expect(switcher.getByRole('button', { name: /^Night Drive/ })).toContainText('Slow roads')
  const row = channel(page, 'Night Drive')
  await expect(row).toContainText('Slow roads')
  await row.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Night Drive' })
  const logoFile = dialog.getByLabel('Logo file')
  await logoFile.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg') })
  await expectToast(page, 'Error', 'This file is not a supported image.')
  await logoFile.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(900, 600) })
  await expect(dialog.getByRole('button', { name: 'Remove Logo' })).toBeVisible()
  await dialog.getByLabel('Name').fill('Day Drive')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Channel Updated', 'Day Drive')
  const onSwitcher = switcher.getByRole('button', { name: /^Day Drive/ })
  await expect(onSwitcher).toBeVisible()
  const logo = onSwitcher.locator('img')
  await expect(logo).toHaveAttribute('src', /^\/api\/theme\/assets\/[\w-]{22}$/)
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640)

  const choice = playlists(page).getByLabel('Channel', { exact: true })
  const renamed = channel(page, 'Day Drive')
  await expect(choice).toContainText('Day Drive')
  await renamed.getByRole('button', { name: 'Deactivate' }).click()
  await expect(renamed).toContainText('Inactive')
  await expect(choice).not.toContainText('Day Drive')
  await expect(onSwitcher).toBeHidden()
  await renamed.getByRole('button', { name: 'Activate' }).click()
  await expect(choice).toContainText('Day Drive')
  await expect(onSwitcher).toBeVisible()
  expect(await violationsInThemes(page), 'channels').toEqual([])

  await renamed.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Day Drive?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete channel' }).click()
  await expectToast(page, 'Channel Deleted', 'Day Drive')
  await expect(renamed).toBeHidden()
  await expect(onSwitcher).toBeHidden()
  await viewer.close()
})

test('the default channel is deactivated after confirmation, and Live TV behaves as announced', async ({
  page,
  browser,
}) => {
  const all = await clientOf(web.url, token).call('GET /api/channels')
  const { name } = all.items.find(({ id }) => id === 'default')!
  const viewer = await browser.newPage()
  await viewer.goto(`${web.url}/live`)
  await viewer.getByRole('button', { name: /^Channels/ }).click()
  const current = viewer.getByRole('dialog', { name: 'Channels' }).locator('[aria-current]')
  await expect(current).toContainText(name)

  await openChannels(page)
  const row = channel(page, name)
  await row.getByRole('button', { name: 'Deactivate' }).press('Enter')
  const question = page.getByRole('dialog', { name: `Deactivate ${name}?` })
  await expect(question).toContainText(
    'Live TV shows this channel. It will switch to Test Card, also for current viewers.',
  )
  await page.keyboard.press('Escape')
  await expect(row).toContainText('● Active')
  await row.getByRole('button', { name: 'Deactivate' }).click()
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await expectToast(page, 'Channel Updated', name)
  await expect(current).toContainText('Test Card')
  await viewer.goto(`${web.url}/live?channel=default`)
  await expect(viewer.getByText('This channel is off the air.')).toBeVisible()
  await row.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(row).toContainText('● Active')
  await expect(viewer.getByText('This channel is off the air.')).toBeHidden()
  await viewer.close()
})

test('a playlist is reordered by mouse, touch and keyboard, previewed, saved in one request and shown to viewers', async ({
  page,
  browser,
}) => {
  const id = await startChannel(web.url, token, 'Long Songs', videoIds.slice(0, 3))
  const viewer = await browser.newPage()
  await viewer.goto(`${web.url}/live?channel=${id}`)
  const upNext = viewer.getByRole('region', { name: 'Up Next' }).getByRole('listitem')
  await expect(upNext).toContainText(['Blue Hour', 'Copper Sky'])

  await openChannels(page)
  await selectChannel(page, 'Long Songs', 3)
  await expect(coming(page).first()).toContainText('On now, unchanged')
  await expect(preview(page)).toContainText('No changes.')

  // By mouse, then discarded.
  const animation = dropAnimation(page)
  await dragToPlace(page, handle(page, 'Copper Sky'), -150, 1)
  await expect(rows(page)).toContainText(['Copper Sky', 'Amber Coast', 'Blue Hour'])
  const { seconds, zIndex } = await animation
  expect(zIndex).toBe('4500')
  expect(seconds).toBeGreaterThanOrEqual(0.33)
  expect(seconds).toBeLessThanOrEqual(0.55)
  await expect(preview(page)).toContainText('No artist plays twice in a row.')
  await button(page, 'Discard').click()
  await expect(rows(page)).toContainText(['Amber Coast', 'Blue Hour', 'Copper Sky'])

  // By touch, on a phone.
  const storageState = await page.context().storageState()
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState,
  })
  const small = await phone.newPage()
  await small.goto(`${web.url}/admin?tab=channels`)
  await selectChannel(small, 'Long Songs', 3)
  expect(await dragToPlaceByTouch(small, handle(small, 'Copper Sky'), -80, 2)).toBeGreaterThanOrEqual(120)
  await expect(rows(small)).toContainText(['Amber Coast', 'Copper Sky', 'Blue Hour'])
  const unsaved = playlists(small).getByText('Unsaved changes: new order.')
  await expect.poll(async () => (await unsaved.boundingBox())?.width).toBeGreaterThan(200)
  await phone.close()

  // By keyboard, saved in one request.
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/playlist')) calls.push(request.method())
  })
  await handle(page, 'Blue Hour').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(rows(page)).toContainText(['Amber Coast', 'Copper Sky', 'Blue Hour'])
  await expect(preview(page)).toContainText('The programme changes from')
  await expect(coming(page)).toContainText([/Amber Coast/, /Copper Sky.*Moved from/s])
  await expect(upNext).toContainText(['Blue Hour', 'Copper Sky'])
  await button(page, 'Save').click()
  await expectToast(page, 'Playlist order updated')
  await expect(upNext).toContainText(['Copper Sky', 'Blue Hour'])
  expect(calls).toEqual(['PUT'])
  expect(await violationsInThemes(page), 'playlist').toEqual([])
  await viewer.close()
})

test('a draft collects all kinds of changes, survives a reload and other sections, and is saved by Save Changes', async ({
  page,
}) => {
  const songs = videoIds.slice(0, 4)
  const id = await startChannel(web.url, token, 'Night Jazz', [...songs, ...songs, ...songs, ...songs])
  await openChannels(page)
  await playlists(page).getByLabel('Channel', { exact: true }).selectOption({ label: 'Night Jazz' })
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', '16')

  // Ten rows are removed with three clicks.
  const checkbox = (row: number) => rows(page).nth(row).getByRole('checkbox')
  await checkbox(2).click()
  await checkbox(11).click({ modifiers: ['Shift'] })
  await expect(playlists(page)).toContainText('10 selected')
  expect(await violationsInThemes(page), 'selection').toEqual([])
  await button(page, 'Remove selected').click()
  await expect(rows(page)).toHaveCount(6)
  // A position is typed, and videos are added to the open draft.
  await playlists(page)
    .getByRole('button', { name: /^Position \d+: Copper Moon$/ })
    .click()
  const position = playlists(page).getByLabel('New position of Copper Moon')
  await expect(position).toBeFocused()
  await position.fill('1')
  await position.press('Enter')
  await expect(rows(page)).toContainText(['Copper Moon', 'Amber Coast', 'Blue Hour', 'Amber Coast'])
  await button(page, 'Add Videos').click()
  const picker = page.getByRole('dialog', { name: 'Add Videos to Night Jazz' })
  await picker.getByRole('checkbox', { name: /Blue Hour/ }).check()
  await picker.getByRole('button', { name: 'Add to playlist' }).click()
  await expect(playlists(page)).toContainText('Unsaved changes: 1 added, 10 removed, 1 moved.')
  await button(page, 'Undo').click()
  await expect(playlists(page)).toContainText('Unsaved changes: 10 removed, 1 moved.')

  const unsaved = page.getByText('Unsaved: Night Jazz playlist')
  await expect(unsaved).toBeVisible()
  await page.reload()
  await expect(playlists(page)).toContainText('Unsaved changes restored.')
  await expect(rows(page)).toHaveCount(6)
  expect(await violationsInThemes(page), 'restored').toEqual([])
  await page.getByRole('link', { name: /^User Management/ }).click()
  await expect(unsaved).toBeVisible()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Video removed from playlist', '10 videos')
  await expectToast(page, 'Playlist order updated')
  await expect(unsaved).toBeHidden()
  const saved = await clientOf(web.url, token).call('GET /api/channels/:id/playlist', { params: { id } })
  const [amber, blue, sky, moon] = songs
  const videosOf = (items: { videoId: string }[]) => items.map(({ videoId }) => videoId)
  expect(videosOf(saved.items)).toEqual([moon, amber, blue, amber, blue, sky])

  // Play next moves a video after the current one.
  await page.getByRole('link', { name: 'Channel Manager' }).click()
  await playlists(page).getByRole('checkbox', { name: 'Select: Copper Sky' }).check()
  await button(page, 'Play next').click()
  await expect(rows(page)).toContainText(['Copper Moon', 'Amber Coast', 'Copper Sky', 'Blue Hour'])
  await expect(coming(page).nth(1)).toContainText('Copper Sky')

  // Signing out discards the draft, so it asks for confirmation.
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out and lose unsaved changes?' })
  await expect(question).toContainText('Night Jazz playlist')
  await question.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await openChannels(page)
  await playlists(page).getByLabel('Channel', { exact: true }).selectOption({ label: 'Night Jazz' })
  await expect(rows(page)).toContainText(['Copper Moon', 'Amber Coast', 'Blue Hour'])
  await expect(unsaved).toBeHidden()
})

test('videos are added and removed with a preview and undone, and changes of another admin are not overwritten', async ({
  page,
}) => {
  const id = await startChannel(web.url, token, 'Short List', videoIds.slice(0, 3))
  await openChannels(page)
  await selectChannel(page, 'Short List', 3)
  await button(page, 'Add Videos').click()
  const picker = page.getByRole('dialog', { name: 'Add Videos to Short List' })
  await picker.getByLabel('Find public videos').fill('Cleo')
  await picker.getByRole('checkbox', { name: /Copper Moon/ }).check()
  await expect(picker.getByRole('list', { name: 'Upcoming programmes' })).toContainText('+ New')
  await expect(picker.getByRole('list', { name: 'Upcoming programmes' })).toContainText(
    'Same artist as previous',
  )
  await expect(picker).toContainText(/videos? follows? another by the same artist/)
  expect(await violationsInThemes(page), 'picker').toEqual([])
  await picker.getByRole('button', { name: 'Add to playlist' }).click()
  await expectToast(page, 'Video added to playlist')
  await expect(rows(page)).toHaveCount(4)

  // Another admin adds an unplayable video, and this page is updated.
  await clientOf(web.url, token).call('POST /api/channels/:id/playlist', {
    params: { id },
    body: { videoIds: [videoIds[4]!] },
  })
  await expect(rows(page)).toHaveCount(5)
  await preview(page).getByText('1 video cannot be played').click()
  await expect(preview(page)).toContainText('no longer on YouTube')

  await button(page, 'Why is this on? Copper Sky').first().click()
  const why = page.getByRole('dialog', { name: 'Why is this on?' })
  await expect(why).toContainText('Playlist order')
  await expect(why).toContainText(/The stream was started or shuffle was turned on by admin/)
  await page.keyboard.press('Escape')

  // A change of another admin is shown in the open draft, and both changes are merged.
  await button(page, 'Move up: Blue Hour').click()
  await expect(rows(page)).toContainText(['Blue Hour', 'Amber Coast'])
  const { items } = await clientOf(web.url, token).call('GET /api/channels/:id/playlist', { params: { id } })
  await clientOf(web.url, token).call('DELETE /api/channels/:id/playlist/:itemId', {
    params: { id, itemId: items[4]!.id },
  })
  const conflict = playlists(page).getByRole('region', { name: 'Another admin has changed this playlist.' })
  await expect(conflict).toContainText('Removed: ')
  await expect(button(page, 'Save')).toHaveCount(0)
  expect(await violationsInThemes(page), 'conflict').toEqual([])
  await conflict.getByRole('button', { name: 'Merge' }).click()
  // The notice is removed with the pressed button.
  await expect(conflict).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SECTION')
  await expect(rows(page)).toHaveCount(4)
  await button(page, 'Save').click()
  await expectToast(page, 'Playlist order updated')
  await expect(rows(page)).toContainText(['Blue Hour', 'Amber Coast', 'Copper Sky', 'Copper Moon'])

  // Saved immediately, then undone.
  await playlists(page).getByRole('switch', { name: 'Review changes before saving' }).click()
  await button(page, 'Remove: Blue Hour').click()
  await expectToast(page, 'Video removed from playlist', 'Blue Hour')
  await holdToast(page, 'Video removed from playlist')
  await expect(rows(page)).toContainText(['Amber Coast', 'Copper Sky', 'Copper Moon'])
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Video removed from playlist' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(rows(page)).toContainText(['Blue Hour', 'Amber Coast', 'Copper Sky', 'Copper Moon'])
  await playlists(page).getByRole('switch', { name: 'Shuffle' }).click()
  await expectToast(page, 'Shuffle enabled for channel')
  await playlists(page).getByRole('switch', { name: 'Shuffle' }).click()
  await expectToast(page, 'Shuffle disabled for channel')

  // More channels than fit on one page of results, which holds four here: a hundred take half a minute to create and show.
  await page.goto('about:blank')
  const names = Array.from({ length: 9 }, (_, n) => `Extra ${n + 1}`)
  await Promise.all(
    names.map((name) => clientOf(web.url, token).call('POST /api/channels', { body: { name } })),
  )
  await page.route(/\/api\/channels(?:\?|$)/, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '4')
    return route.continue({ url: url.href })
  })
  await page.goto(`${web.url}/admin?tab=channels`)
  const streams = page.getByRole('region', { name: '24/7 Stream Manager' })
  await streams.getByLabel('Search channels').fill('Extra 9')
  await expect(streams.getByRole('article', { name: 'Extra 9' })).toBeVisible()
})
