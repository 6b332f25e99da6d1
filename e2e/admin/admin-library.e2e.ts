/// <reference lib="dom" />

import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { withClient } from '@looptide/backing/database/set-up'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { expect, type Locator, type Page } from '@playwright/test'
import { Actions } from '../support/actions.ts'
import { addByUrls, library, openAddVideos, libraryRows as rows } from '../support/library.ts'
import { signIn, signUp } from '../support/people.ts'
import { expectToast, partsLoaded, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation({ YOUTUBE_API_KEY: 'key' })

const ADDED_IDS = Array.from({ length: 200 }, (_, n) => `bulk${String(n).padStart(7, '0')}`)
const [REMOVED, PRIVATE, UNEMBEDDABLE] = [
  ADDED_IDS.slice(0, 10),
  ADDED_IDS.slice(10, 20),
  ADDED_IDS.slice(20, 30),
]

const tray = (page: Page) => page.getByRole('region', { name: 'Changes in progress' })
const boxOf = async (locator: Locator) => {
  const { x, width } = (await locator.boundingBox())!
  return { left: x, right: x + width }
}
const button = (page: Page, name: string) => library(page).getByRole('button', { name, exact: true })
const search = (page: Page, wanted: string) => library(page).getByLabel('Search the library').fill(wanted)

test('200 URLs are added with four requests to YouTube, and every row shows its result', async ({ page }) => {
  for (const id of REMOVED) web.youtube.set(id, { state: 'removed' })
  for (const id of PRIVATE) web.youtube.set(id, { state: 'private' })
  for (const id of UNEMBEDDABLE) web.youtube.set(id, { state: 'unembeddable', title: `No embed ${id}` })
  for (const [n, id] of ADDED_IDS.slice(30).entries()) {
    web.youtube.set(id, { title: `Song ${String(n).padStart(3, '0')}`, channel: 'The Bulk' })
  }
  const before = web.youtube.calls.videosList
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const adding = await openAddVideos(page)
  await adding.getByLabel('Video URLs').fill(ADDED_IDS.map((id) => `https://youtu.be/${id}`).join('\n'))
  await test.step('what is typed is kept: Escape closes only the dialog, and the link home asks', async () => {
    await page.keyboard.press('Escape')
    await expect(adding).toBeHidden()
    await page.keyboard.press('Escape')
    await expectToast(page, 'This page has unsaved input')
    await page.getByRole('link', { name: 'Back to App' }).click()
    await page
      .getByRole('dialog', { name: 'Leave this page?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await openAddVideos(page)
    await expect(adding.getByLabel('Video URLs')).toHaveValue(/youtu\.be/)
  })
  await adding.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'Videos added successfully', '200 videos added')
  await expect(adding).toBeHidden()

  await search(page, 'Song 169')
  await expect(rows(page)).toHaveCount(1, { timeout: 60_000 })
  await expect(rows(page)).toContainText(/The Bulk.*New Video Submissions.*0 views/)
  // On a phone the whole row is readable.
  const viewport = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const cutOff = () =>
    rows(page)
      .locator('p')
      .evaluateAll((texts) =>
        texts.filter(
          (text) => text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1,
        ),
      )
  await expect.poll(cutOff).toHaveLength(0)
  if (viewport) await page.setViewportSize(viewport)
  await search(page, 'No embed')
  await expect(rows(page).first()).toContainText('Unavailable: embedding not allowed')
  await expect(library(page).getByRole('heading')).toHaveText(`Video Library (${UNEMBEDDABLE.length})`)
  await search(page, 'Loading...')
  await expect(library(page).getByRole('heading')).toHaveText('Video Library (20)')
  await expect(rows(page).first()).toContainText('Unavailable: removed from YouTube')
  // Videos without a title are named by their URL where they must be distinguished.
  await rows(page).first().getByRole('checkbox').check()
  await button(page, 'Delete').click()
  await expect(page.getByRole('dialog')).toContainText('https://www.youtube.com/watch?v=bulk')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => web.youtube.calls.videosList - before).toBe(4)

  web.youtube.setQuota(0)
  await addByUrls(page, 'https://www.youtube.com/shorts/onemore0001')
  await search(page, '')
  await expect(rows(page).first()).toContainText('Queued: the daily quota is used up')
})

test('videos are selected, added to Live, moved and deleted, each with a confirmation', async ({ page }) => {
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await search(page, 'Song 00')
  await expect(rows(page)).toHaveCount(10)
  for (const name of ['Clear', 'Add to Live', 'Move to...', 'Delete']) {
    await expect(button(page, name)).toBeHidden()
  }
  await rows(page).getByLabel('Select Song 003').check()
  await rows(page).getByLabel('Select Song 001').check()
  await expect(library(page).getByText('2 selected')).toBeVisible()
  await button(page, 'Add to Live').click()
  const question = page.getByRole('dialog', { name: 'Add 2 videos to Live?' })
  await expect(question).toContainText(
    /The live channel will play only these 2 videos \(\d+:\d\d\) in a loop instead of all \d+ public videos\./,
  )
  await expect(question).toContainText('This playlist is shorter than an hour')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(library(page).getByText('2 selected')).toBeVisible()
  await button(page, 'Add to Live').click()
  await question.getByRole('button', { name: 'Add to Live' }).click()
  await expectToast(page, 'Added to live playlist', '2 videos')
  await expect(library(page).getByText('0 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Add to Live undone', '2 videos removed')
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  expect((await clientOf(web.url, token).call('GET /api/live-playlist')).items).toEqual([])

  await button(page, 'Select All').click()
  await expect(library(page).getByText('10 selected')).toBeVisible()
  await button(page, 'Clear All').click()
  await rows(page).getByLabel('Select Song 002').focus()
  await page.keyboard.press('Space')
  await button(page, 'Move to...').click()
  await page.getByRole('menuitem', { name: 'Classics' }).click()
  await expectToast(page, 'Categories updated', 'Classics')
  await expect(rows(page).filter({ hasText: 'Song 002' })).toContainText('Classics')

  await rows(page).getByLabel('Select Song 004').check()
  await button(page, 'Delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(10)
  await button(page, 'Delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete video' }).click()
  await expectToast(page, 'Videos deleted', '1 video deleted.')
  await expect(rows(page)).toHaveCount(9)

  // Private videos are found as well: the clips of the Test Card are not public.
  await search(page, 'test card')
  await expect(rows(page).first()).toContainText('Test Card')
  await search(page, 'no such video')
  await expect(page.getByText('No videos found')).toBeVisible()
  await search(page, '')
  await expect(rows(page).first()).toBeVisible()
  const idRequests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/videos/ids') idRequests.push(request.url())
  })
  await button(page, 'Select All').click()
  const count = async (text: RegExp) =>
    /\d+/.exec((await library(page).getByText(text).first().textContent()) ?? '')?.[0]
  // The heading may briefly show the count from before the deletion.
  await expect
    .poll(async () => (await count(/^\d+ selected$/)) === (await count(/^Video Library \(/)))
    .toBe(true)
  expect(idRequests).toHaveLength(1)
  // The list is at least 24 rem high and extends to the end of the window, except for the page margin.
  const scroller = rows(page).first().locator('xpath=../../..')
  await expect(scroller).toHaveCSS('min-height', '384px')
  const bottom = async () => {
    const frame = await scroller.boundingBox()
    return (frame?.y ?? 0) + (frame?.height ?? 0)
  }
  await expect.poll(bottom).toBeGreaterThan(900 - 40)
  // Only visible rows are rendered.
  expect(await rows(page).count()).toBeLessThan(100)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Video Library Saved')
  expect(refused).toEqual([])
})

test('an admin edits a video, and sees what another admin changed meanwhile before overwriting it', async ({
  page,
}) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const client = clientOf(web.url, token)
  const { items } = await client.call('GET /api/videos', { query: { q: 'Song 150' } })
  const params = { id: items[0]!.id }
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await search(page, 'Song 150')
  await library(page).getByRole('button', { name: 'Edit Song 150' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit video' })
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Song 150 (Live)')
  await dialog.getByLabel('Thumbnail URL').fill('https://elsewhere.example/a.jpg')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Failed to update video', 'not allowed')
  await dialog.getByLabel('Thumbnail URL').fill('')
  await client.call('PATCH /api/videos/:id', { params, body: { title: 'Song 150 (Remix)', genre: 'Techno' } })
  const notice = dialog.getByRole('region', { name: 'Another admin has changed this video.' })
  const overwrite = notice.getByRole('button', { name: 'Overwrite' })
  const save = dialog.getByRole('button', { name: 'Save' })
  const pressed = await boxOf(save)
  await save.click()
  await expect(notice).toBeFocused()
  expect((await boxOf(overwrite)).right).toBeLessThan(pressed.left)
  await expect(notice).toContainText('Title: Song 150 → Song 150 (Remix) (you have changed it too')
  await expect(notice).toContainText('→ Techno')
  expect((await client.call('GET /api/videos/:id', { params })).title).toBe('Song 150 (Remix)')
  await notice.getByRole('button', { name: 'Merge' }).click()
  await client.call('PATCH /api/videos/:id', { params, body: { genre: 'Ambient', title: 'Song 150 (Dub)' } })
  await page.setViewportSize({ width: 390, height: 844 })
  const pressedOnPhone = await boxOf(save)
  await save.click()
  await expect(notice).toContainText('Genre: Techno → Ambient')
  expect((await boxOf(overwrite)).right).toBeLessThan(pressedOnPhone.left)
  await overwrite.click()
  await save.click()
  await expectToast(page, 'Video updated', 'Song 150 (Live)')
  await expect(dialog).toBeHidden()
  await expect(rows(page).first()).toContainText('Song 150 (Live)')
  expect(await client.call('GET /api/videos/:id', { params })).toMatchObject({
    title: 'Song 150 (Live)',
    genre: 'Techno',
  })
})

test('many videos are edited after a preview of what changes, and the edit is undone', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await search(page, 'Song 11')
  await expect(rows(page)).toHaveCount(10)
  await button(page, 'Select All').click()
  await expect(library(page).getByText('10 selected')).toBeVisible()
  await button(page, 'Edit...').click()
  const dialog = page.getByRole('dialog', { name: 'Edit 10 videos' })
  const artist = dialog.getByRole('textbox', { name: 'Artist' })
  await expect(artist).toBeFocused()
  await artist.fill('The Editors')
  await dialog.getByLabel('Category').selectOption('Classics')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  const changes = dialog.getByRole('list', { name: 'Changes' })
  await expect(changes).toContainText('Artist: 10 videos from The Bulk to The Editors')
  await expect(changes).toContainText('Category: 10 videos from New Video Submissions to Classics')
  await dialog.getByRole('button', { name: 'Update 10 videos' }).click()
  await expectToast(page, 'Videos updated', '10 videos updated.')
  await expect(rows(page).filter({ hasText: /The Editors.*Classics/ })).toHaveCount(10)
  await expect(library(page).getByText('0 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Edit undone', '10 videos restored.')
  await expect(rows(page).filter({ hasText: /The Bulk.*New Video Submissions/ })).toHaveCount(10)

  await button(page, 'Select All').click()
  await button(page, 'Edit...').click()
  await dialog.getByLabel('Replace in titles').fill('song 11')
  await dialog.getByLabel('Replace with').fill('Track 11-')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await expect(changes).toContainText(/Title: “Song 11\d” becomes “Track 11-\d”/)
  await expect(changes).toContainText('Title: changed for 5 more videos')
  await dialog.getByLabel('Replace in titles').fill('')
  await dialog.getByRole('checkbox', { name: 'Clear artist' }).check()
  await expect(artist).toBeDisabled()
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await expect(changes).toContainText('Artist: 10 videos from The Bulk to Unknown Artist')
  await dialog.getByRole('button', { name: 'Update 10 videos' }).click()
  await expectToast(page, 'Videos updated', '10 videos updated.')
})

/** Lets no job begin until the returned function is called. */
async function holdJobs(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = withClient(web.station.databaseUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('catalogue.video_jobs'))`)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, ended])
  return () => {
    released.resolve()
    return ended
  }
}

test('a change of many videos goes on when its page is closed, and another admin cancels and undoes', async ({
  page,
  browser,
}) => {
  const deputy = await signUp(web.url, 'deputy')
  const admin = clientOf(web.url, await signIn(web.url, testAdmin.email, testAdmin.password))
  await admin.call('PUT /api/users/:id/role', { params: { id: deputy.id }, body: { role: 'admin' } })
  const { handle } = (await admin.call('GET /api/me')).profile
  const other = await browser.newPage()
  const release = await holdJobs()
  try {
    await signInDirectly(page, web.url, testAdmin)
    await page.goto(`${web.url}/admin`)
    await search(page, 'Song 13')
    await expect(rows(page)).toHaveCount(10)
    await button(page, 'Select All').click()
    await button(page, 'Edit...').click()
    const dialog = page.getByRole('dialog', { name: 'Edit 10 videos' })
    await dialog.getByRole('textbox', { name: 'Artist' }).fill('The Background')
    await dialog.getByRole('button', { name: 'Preview changes' }).click()
    await dialog.getByRole('button', { name: 'Update 10 videos' }).click()
    await expect(dialog).toBeHidden()
    await expect(library(page).getByText('0 selected')).toBeVisible()
    await expect(tray(page).getByRole('listitem')).toHaveText([/^Edit 10 videos by @.*Waiting/])
    await button(page, 'Select All').click()
    await button(page, 'Move to...').click()
    await page.getByRole('menuitem', { name: 'Classics' }).click()
    await expect(tray(page).getByRole('listitem')).toHaveCount(2)
    await page.close()

    await signInDirectly(other, web.url, deputy)
    await other.goto(`${web.url}/admin`)
    await expect(tray(other)).toContainText(`Edit 10 videos by @${handle}`)
    await other.getByRole('button', { name: 'Cancel: Move 10 videos to Classics' }).click()
    await expect(tray(other).getByRole('listitem')).toHaveCount(1)
    await library(other).getByLabel('Search the library').press('Tab')
    await library(other).getByLabel('Search the library').focus()
    await other.getByRole('button', { name: 'Cancel: Edit 10 videos' }).focus()
  } finally {
    await release()
  }
  await expect(tray(other)).toBeHidden()
  await expect(library(other).getByLabel('Search the library'), 'it was focused before').toBeFocused()
  await search(other, 'Song 13')
  await expect(rows(other).filter({ hasText: /The Background.*New Video Submissions/ })).toHaveCount(10)

  const undo = new Actions(other)
  await undo.click(other.getByRole('link', { name: 'Audit Log' }))
  const entry = other
    .getByRole('list', { name: 'Audit log' })
    .getByRole('listitem')
    .filter({ hasText: `${handle} edited 10 videos` })
    .first()
  await undo.click(entry.getByRole('button', { name: 'Undo' }))
  await expectToast(other, 'Edit undone', '10 videos restored.')
  expect(undo.count).toBeLessThanOrEqual(5)
  await expect(entry.getByRole('button', { name: 'Undo' })).toBeHidden()
  await expect(entry.getByText('Undone', { exact: true })).toBeVisible()

  await other.goto(`${web.url}/admin`)
  await button(other, 'Recent changes').click()
  const changes = other.getByRole('dialog', { name: 'Recent changes' }).getByRole('listitem')
  await expect(changes.nth(0)).toContainText(/Undo the edit of 10 videos by @.*10 changed/)
  await expect(changes.nth(1)).toContainText(/Move 10 videos to Classics by @.*Cancelled: 0 of 10 changed/)
  await expect(changes.nth(2)).toContainText(/Edit 10 videos by @.*10 changed .* undone/)
  await expect(changes.nth(2).getByRole('button')).toHaveCount(0)
  await other.close()
})

test('a deletion is undone from its toast, and deleted videos are restored or deleted permanently later', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await search(page, 'Song 12')
  await expect(rows(page)).toHaveCount(10)
  const removeSong = async (title: string) => {
    await rows(page).getByLabel(`Select ${title}`).check()
    await button(page, 'Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete video' }).click()
    await expectToast(page, 'Videos deleted', '1 video deleted.')
    // The toast may be that of an earlier deletion.
    await expect(rows(page).getByLabel(`Select ${title}`)).toHaveCount(0)
  }
  await removeSong('Song 121')
  await expect(rows(page)).toHaveCount(9)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Videos restored', '1 video restored.')
  await expect(rows(page)).toHaveCount(10)

  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const client = clientOf(web.url, token)
  const only = (await client.call('GET /api/videos', { query: { q: 'Song 122' } })).items[0]!.id
  const { id: channelId } = await client.call('POST /api/channels', { body: { name: 'Single Song' } })
  await until('the scheduler has the video', async () =>
    (await client.call('GET /api/live-playlist/readiness', { query: { ids: only } })).readyIds.includes(only),
  )
  await client.call('POST /api/channels/:id/playlist', {
    params: { id: channelId },
    body: { videoIds: [only] },
  })
  await rows(page).getByLabel('Select Song 122').check()
  await button(page, 'Delete').click()
  await expect(page.getByRole('dialog')).toContainText('Single Song would have nothing left to play.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await rows(page).getByLabel('Select Song 122').uncheck()
  await removeSong('Song 122')
  await removeSong('Song 123')
  await expect(rows(page)).toHaveCount(8)
  await button(page, 'Recently deleted').click()
  const dialog = page.getByRole('dialog', { name: /^Recently deleted/ })
  const gone = dialog.getByRole('list', { name: 'Deleted videos' }).getByRole('listitem')
  await expect(gone.nth(0)).toContainText('Song 123')
  await expect(gone.nth(1)).toContainText('Song 122')
  await dialog.getByLabel('Song 122').check()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(dialog.getByLabel('Song 122')).toBeHidden()
  await dialog.getByLabel('Song 123').check()
  await dialog.getByRole('button', { name: 'Delete permanently...' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Song 123')).toBeChecked()
  await dialog.getByRole('button', { name: 'Delete permanently...' }).click()
  await dialog.getByRole('button', { name: 'Delete permanently', exact: true }).click()
  await expect(dialog.getByLabel('Song 123')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(9)
  await until('the restored video is on its channel again', async () =>
    (await client.call('GET /api/channels/:id/playlist', { params: { id: channelId } })).items.some(
      ({ videoId }: { videoId: string }) => videoId === only,
    ),
  )
  await page.goto(`${web.url}/admin?tab=channels`)
  const manager = page.getByRole('region', { name: 'Channel Manager' })
  await expect(manager.getByRole('listitem', { name: 'Single Song' })).toContainText(
    'This playlist is shorter than an hour',
  )
})

test('selected videos are added to any channel after a preview, and removed by Undo', async ({ page }) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const client = clientOf(web.url, token)
  const { id } = await client.call('POST /api/channels', { body: { name: 'Many Songs' } })
  const listOf = async (): Promise<object[]> =>
    (await client.call('GET /api/channels/:id/playlist', { params: { id } })).items
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await search(page, 'Song 13')
  await expect(rows(page)).toHaveCount(10)
  await button(page, 'Select All').click()
  await expect(library(page).getByText('10 selected')).toBeVisible()
  await search(page, 'Loading...')
  const unplayable = rows(page).filter({ hasText: 'removed from YouTube' }).first().getByRole('checkbox')
  await unplayable.check()
  await button(page, 'Add to channel...').click()
  await expect(page.getByRole('dialog')).toContainText(
    '1 of the selected videos cannot be played and will be left out.',
  )
  await page.keyboard.press('Escape')
  await unplayable.uncheck()
  await button(page, 'Add to channel...').click()
  const dialog = page.getByRole('dialog', { name: 'Add 10 videos to a channel' })
  await dialog.getByLabel('Channel').selectOption('Many Songs')
  await expect(dialog).toContainText(/Many Songs will play 10 videos \(\d+:\d\d\) in a loop\./)
  await dialog.getByRole('button', { name: 'Add to channel' }).click()
  await expectToast(page, 'Video added to playlist', '10 videos added to Many Songs.')
  await expect(library(page).getByText('0 selected')).toBeVisible()
  expect(await listOf()).toHaveLength(10)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Video removed from playlist', '10 videos removed')
  expect(await listOf()).toEqual([])

  // For a day, its entry of the audit log undoes it, too.
  const { items } = await client.call('GET /api/videos', { query: { q: 'Song 13' } })
  const body = { videoIds: items.slice(0, 3).map((video) => video.id) }
  await client.call('POST /api/channels/:id/playlist', { params: { id }, body })
  await page.getByRole('link', { name: 'Audit Log' }).click()
  const entry = page
    .getByRole('list', { name: 'Audit log' })
    .getByRole('listitem')
    .filter({ hasText: /added 3 videos to Many Songs/ })
  await entry.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Change undone', 'Added 3 videos to Many Songs.')
  await expect(entry.getByRole('button', { name: 'Undo' })).toBeHidden()
  expect(await listOf()).toEqual([])
  await page.reload()
  await expect(entry).toBeVisible()
  await expect(entry.getByRole('button', { name: 'Undo' })).toBeHidden()

  // So does the entry of a playlist that was saved as a whole.
  const itemId = crypto.randomUUID()
  const added = [{ itemId, videoId: body.videoIds[0]! }]
  await client.call('PUT /api/channels/:id/playlist', { params: { id }, body: { itemIds: [itemId], added } })
  await page.reload()
  const saved = page
    .getByRole('list', { name: 'Audit log' })
    .getByRole('listitem')
    .filter({ hasText: /added a video to Many Songs/ })
    .first()
  await saved.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Change undone', 'Added a video to Many Songs.')
  expect(await listOf()).toEqual([])
})

test('a change pushed while the library loads is shown, and one of a video that is not loaded changes no row', async ({
  page,
}) => {
  const token = await signIn(web.url, testAdmin.email, testAdmin.password)
  const client = clientOf(web.url, token)
  const { items, nextCursor, total } = await client.call('GET /api/videos', { query: { all: true } })
  const older = await client.call('GET /api/videos', { query: { all: true, cursor: nextCursor! } })
  const [loaded, notLoaded] = [items[0]!.id, older.items[0]!.id]
  const pushed: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void pushed.push(String(payload))),
  )
  const isPushed = (id: string) => pushed.some((frame) => frame.includes(id))
  const answer = Promise.withResolvers<void>()
  await page.route(/\/api\/videos\?/, async (route) => {
    const response = await route.fetch()
    await answer.promise
    await route.fulfill({ response })
  })

  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  await until('a change of a video has reached the page before its first answer', async () => {
    await client.call('POST /api/videos/move', { body: { ids: [loaded], category: 'Must Watch' } })
    await client.call('POST /api/videos/move', { body: { ids: [loaded], category: 'Classics' } })
    return isPushed(loaded)
  })
  answer.resolve()
  await expect(rows(page).first()).toContainText('Classics')
  await page.unrouteAll({ behavior: 'wait' })
  const first = await rows(page).first().textContent()

  await client.call('POST /api/videos/move', { body: { ids: [notLoaded], category: 'Must Watch' } })
  await until('the change was pushed', () => isPushed(notLoaded))
  await client.call('POST /api/videos/move', { body: { ids: [items[1]!.id], category: 'Must Watch' } })
  await expect(rows(page).nth(1)).toContainText('Must Watch')
  await expect(library(page).getByRole('heading')).toHaveText(`Video Library (${total})`)
  expect(await rows(page).first().textContent()).toBe(first)
})

test('the control panel shows the library, tabs and cards, and only to admins', async ({ page, browser }) => {
  const stranger = await browser.newPage()
  await stranger.goto(`${web.url}/control`)
  await expectToast(stranger, 'Access Denied', 'Please sign in to access the control panel')
  await signInDirectly(stranger, web.url, await signUp(web.url, 'viewer'))
  await stranger.goto(`${web.url}/control`)
  await expectToast(stranger, 'Access Denied', 'Administrator access required for the control panel')
  await stranger.close()

  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/control`)
  await expect(page.getByRole('heading', { level: 1, name: /Admin Control Panel$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Home', exact: true }).last()).toBeVisible()
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'Missing information', 'Please provide video URLs')
  await page.getByLabel('Video URLs').fill(' ')
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'No valid URLs', 'Please provide at least one valid video URL')
  await page.getByLabel('Video URLs').fill('https://youtube.com/playlist?list=PL1')
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'No valid videos to add', 'Please provide valid YouTube video URLs')
  await expectToast(
    page,
    'Some URLs were skipped',
    '1 skipped: playlist URLs are not supported, please use individual video URLs.',
  )
  const [withList, other] = ['https://youtube.com/watch?v=abcdefghijk&list=PL1', 'https://example.com/song']
  const refused = 'not a url\nhttps://youtube.com/playlist?list=PL1'
  await page.getByLabel('Video URLs').fill(`${withList}\n${other}\n${refused}`)
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'Videos added successfully', '2 videos added')
  await expect(page.getByLabel('Video URLs')).toHaveValue(refused)
  const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
  await expect(results.nth(0)).toContainText('To add the whole playlist')
  await expect(results.nth(1)).toContainText('never on the air')
  await expect(results.nth(2)).toContainText('or an https link to an mp4, webm or m3u8 file')
  await expect(rows(page).filter({ hasText: other })).toContainText('Unavailable: unsupported URL')
  await page.getByRole('tab', { name: 'Playlist' }).click()
  await expect(page.getByText('The legacy playlist manager is removed')).toBeVisible()

  await page.getByRole('link', { name: /24\/7 Stream Manager/ }).click()
  await expect(page.getByRole('heading', { name: '24/7 Stream Manager' })).toBeVisible()
  await button(page, 'Update Metadata').click()
  await expect(library(page).getByText(/Updating metadata/)).toBeVisible()
})

test('a CSV file is checked line by line before anything is imported, and the library is exported', async ({
  page,
}) => {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const dialog = await openAddVideos(page)
  await dialog.getByRole('tab', { name: 'Import / Export CSV' }).click()
  const csv = [
    'url,artist,category',
    "https://youtu.be/csvsong0001,'=Sum,Classics",
    `https://youtu.be/${ADDED_IDS[40]},,`,
    'https://youtu.be/csvsong0002,Me,Nowhere',
    'https://youtube.com/playlist?list=PL1,,',
  ].join('\n')
  const file = { name: 'library.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByLabel('Choose a CSV file').press('Enter')
  await (await chooser).setFiles(file)
  await expect(dialog.getByRole('status')).toHaveText('1 to add, 1 already in the library, 2 skipped.')
  await expect(dialog.getByLabel('Choose a CSV file')).toBeFocused()
  const results = dialog.getByRole('list', { name: 'Results' }).getByRole('listitem')
  await expect(results).toContainText([
    'Will be added',
    'Already in the library',
    'Unknown category "Nowhere".',
    'Playlist URLs are not supported',
  ])
  await dialog.getByRole('button', { name: 'Import 1 video' }).click()
  await expect(dialog.getByRole('status')).toHaveText('1 video added. 1 already in the library, 2 skipped.')
  await expect(results.first()).toContainText('✓ Added')
  await expectToast(page, 'Videos added successfully', '1 video added')

  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export library' }).click()
  const exported = await text((await (await download).createReadStream()) as Readable)
  expect(exported).toContain(`"https://www.youtube.com/watch?v=csvsong0001","'=Sum","Music","Classics"`)
  await dialog.getByRole('tab', { name: 'From URLs' }).click()
  await page.getByRole('button', { name: 'Import a YouTube playlist...' }).click()
  await page.getByLabel('Playlist URL').fill('https://www.youtube.com/playlist?list=PLtest')
  await page.getByRole('button', { name: 'Import videos' }).click()
  await expectToast(page, 'Error processing videos', 'The daily quota is used up.')
})

test('a failed action shows a message and keeps the selection', async ({ page }) => {
  await signInDirectly(page, web.url, testAdmin)
  const loaded = partsLoaded(page, ['channels-section', 'theme-customizer', 'submissions-panel'])
  await page.goto(`${web.url}/admin`)
  await loaded
  await rows(page).first().getByRole('checkbox').check()
  const adding = await openAddVideos(page)
  await adding.getByLabel('Video URLs').fill('https://youtu.be/keepsthis01')
  await page.keyboard.press('Escape')
  await page.context().setOffline(true)
  const sections = page.getByRole('navigation', { name: 'Sections' })
  for (const [link, heading] of [
    ['Channel Manager', 'Channel Manager'],
    ['Theme Settings', 'Theme'],
    ['Submissions', 'Submissions'],
  ] as const) {
    await sections.getByRole('link', { name: link }).press('Enter')
    await expect(page.getByRole('heading', { name: new RegExp(`^${heading}`) }).first()).toBeVisible()
  }
  await sections.getByRole('link', { name: 'Video Library' }).press('Enter')
  await openAddVideos(page)
  await expect(adding.getByLabel('Video URLs')).toHaveValue('https://youtu.be/keepsthis01')
  await page.keyboard.press('Escape')
  await button(page, 'Add to Live').click()
  await expectToast(
    page,
    'Error adding to live playlist',
    'Failed to add videos to live playlist. Please try again.',
  )
  await button(page, 'Move to...').click()
  await page.getByRole('menuitem', { name: 'Must Watch' }).click()
  await expectToast(page, 'Error updating categories', 'Failed to update video categories. Please try again.')
  await button(page, 'Delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete video' }).click()
  await expectToast(page, 'Error deleting videos', 'Failed to delete videos. Please try again.')
  await expect(library(page).getByText('1 selected')).toBeVisible()
})
