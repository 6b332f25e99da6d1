/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { expect, type Page } from '@playwright/test'
import { library, openAddVideos, libraryRows as rows } from '../support/library.ts'
import { signIn } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation({ YOUTUBE_API_KEY: 'key' })

const search = (page: Page, wanted: string) => library(page).getByLabel('Search the library').fill(wanted)

/** Opens the library with room for the column of tags. */
async function openLibrary(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
}

const adminClient = async () => clientOf(web.url, await signIn(web.url, testAdmin.email, testAdmin.password))

/** The position of the playing video of a dialog, in seconds. */
const playing = (page: Page) => page.getByRole('dialog').locator('video')
const seekTo = (page: Page, positionS: number) =>
  playing(page).evaluate((video: HTMLVideoElement, to) => {
    video.pause()
    video.currentTime = to
  }, positionS)

test('an admin tags and trims a video from its player, and its channel plays this part only', async ({
  page,
}) => {
  const client = await adminClient()
  const { items } = await client.call('GET /api/channels/:id/playlist', { params: { id: 'test-card' } })
  const video = items[0]!.video!
  await openLibrary(page)
  await search(page, video.title)
  await library(page)
    .getByRole('button', { name: `Edit ${video.title}` })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit video' })

  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Tags', { exact: true }).focus()
  await page.keyboard.type('Rock')
  await page.keyboard.press('Enter')
  await page.keyboard.type('rock,Live at Leeds,Wrong,')
  await dialog.getByRole('button', { name: 'Remove tag Wrong' }).click()
  await expect(dialog.getByRole('list', { name: 'Tags: chosen' }).getByRole('listitem')).toHaveText([
    'Rock',
    'Live at Leeds',
  ])

  await dialog.getByLabel('End').fill('0:00.5')
  await expect(dialog.getByText('The end must be at least one second after the start.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Open player' }).click()
  // It starts by itself: only then a pause lasts.
  await expect(playing(page)).toHaveJSProperty('paused', false)
  await seekTo(page, 12)
  await dialog.getByRole('button', { name: 'Set start here' }).click()
  await seekTo(page, 15)
  await dialog.getByRole('button', { name: 'Set end here' }).click()
  await expect(dialog.getByLabel('Start')).toHaveValue('0:12')
  await expect(dialog.getByLabel('End')).toHaveValue('0:15')
  await dialog.getByRole('button', { name: 'Play this part' }).click()
  await expect(playing(page)).toHaveJSProperty('paused', true)
  const endedAtS = await playing(page).evaluate((shown: HTMLVideoElement) => shown.currentTime)
  expect(endedAtS).toBeGreaterThanOrEqual(15)
  // On a busy machine the end is noticed late.
  expect(endedAtS).toBeLessThan(17)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Video updated', video.title)
  await expect(rows(page).first()).toContainText('Rock, Live at Leeds')
  await expect(
    rows(page)
      .first()
      .getByTitle(/^0:12 to 0:15 of /),
  ).toHaveText('0:03')

  const planned = async () => {
    const { programmes } = await client.call('GET /api/channels/:id/guide', {
      params: { id: 'test-card' },
      query: { hours: 1 },
    })
    const last = programmes.findLast((each) => each.videoId === video.id)
    return last && { lengthMs: last.endsAtMs - last.startsAtMs, video: last.video }
  }
  await expect.poll(planned).toMatchObject({ lengthMs: 3000, video: { startAtMs: 12_000, durationMs: 3000 } })
})

test('tags of many videos are changed after a preview, and filtered by a filter that all admins share', async ({
  page,
}) => {
  const client = await adminClient()
  const { total: count } = await client.call('GET /api/videos', { query: { all: true, q: 'Test Card' } })
  await openLibrary(page)
  await search(page, 'Test Card')
  await expect(library(page).getByRole('heading')).toHaveText(`Video Library (${count})`)
  await library(page).getByRole('button', { name: 'Select All' }).click()
  await library(page).getByRole('button', { name: 'Edit...', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tags to add').fill('Summer')
  await dialog.getByLabel('Tags to remove').fill('live at leeds')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  const changes = dialog.getByRole('list', { name: 'Changes' })
  await expect(changes).toContainText(`Tag Summer: added to ${count} videos`)
  await expect(changes).toContainText('Tag Live at Leeds: removed from 1 video')
  await dialog.getByRole('button', { name: `Update ${count} videos` }).click()
  await expectToast(page, 'Videos updated', `${count} videos updated.`)
  await expect(rows(page).filter({ hasText: 'Rock, Summer' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Edit undone', `${count} videos restored.`)
  await expect(rows(page).filter({ hasText: 'Rock, Live at Leeds' })).toHaveCount(1)

  await search(page, '')
  await library(page).getByLabel('Filter by tag').selectOption('rock')
  await expect(rows(page)).toHaveCount(1)
  await expect(library(page).getByRole('heading')).toHaveText('Video Library (1)')
  await library(page).getByRole('button', { name: 'Saved filters' }).click()
  const filters = page.getByRole('dialog', { name: 'Saved filters' })
  await filters.getByLabel('Name of the current filter').fill('Rock only')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Filter saved', 'Rock only')
  await filters.getByLabel('Name of the current filter').fill('ROCK ONLY')
  await page.keyboard.press('Enter')
  await expect(filters.getByText('A filter named "ROCK ONLY" already exists.')).toBeVisible()
  await filters.getByRole('button', { name: 'Close' }).click()

  await library(page).getByLabel('Filter by tag').selectOption('')
  await expect(rows(page)).not.toHaveCount(1)
  await library(page).getByRole('button', { name: 'Saved filters' }).click()
  await filters.getByRole('button', { name: 'Apply Rock only' }).click()
  await expect(filters).toBeHidden()
  await expect(rows(page)).toHaveCount(1)

  await library(page).getByRole('button', { name: 'Saved filters' }).click()
  await filters.getByRole('button', { name: 'Rename Rock only' }).click()
  await filters.getByLabel('New name of Rock only').fill('Rock')
  await page.keyboard.press('Enter')
  await expect(filters.getByText('Rock', { exact: true })).toBeVisible()
  await filters.getByRole('button', { name: 'Delete Rock' }).click()
  await expect(filters.getByText('No filters saved yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Filter restored', 'Rock')
  await expect(filters.getByRole('listitem')).toHaveCount(1)
})

test('a CSV file sets tags and trim points', async ({ page }) => {
  await openLibrary(page)
  const dialog = await openAddVideos(page)
  await dialog.getByRole('tab', { name: 'Import / Export CSV' }).click()
  const csv =
    'url,tags,start,end\nhttps://youtu.be/csvtags0001,"Pop, Csv",0:05.5,1:00\nhttps://youtu.be/csvtags0002,,9,\n'
  const file = { name: 'library.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await dialog.getByLabel('Choose a CSV file').setInputFiles(file)
  await expect(dialog.getByText('Start: Enter a time such as 1:05 or 1:05.500.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 1 video' }).click()
  await expectToast(page, 'Videos added successfully', '1 video added')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await library(page).getByLabel('Filter by tag').selectOption('csv')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Pop, Csv')
})

test('new videos of a followed playlist arrive by themselves, and what an admin removes does not return', async ({
  page,
}) => {
  const [first = '', second = '', third = ''] = ['follow00001', 'follow00002', 'follow00003']
  for (const [n, id] of [first, second, third].entries()) {
    web.youtube.set(id, { title: `Followed ${n + 1}`, channel: 'The Mixers' })
  }
  web.youtube.setPlaylist('PLfollowed', [first, second], { title: 'Weekly Mix' })
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const adding = await openAddVideos(page)
  await adding.getByRole('button', { name: 'Followed lists' }).click()
  const lists = page.getByRole('dialog', { name: 'Followed lists' })
  await expect(lists.getByText('No followed lists yet')).toBeVisible()

  await lists.getByRole('button', { name: 'Follow a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Follow a YouTube list' })
  await dialog.getByLabel('Playlist or channel URL').fill('https://youtu.be/dQw4w9WgXcQ')
  await dialog.getByRole('button', { name: 'Follow' }).click()
  await expect(dialog.getByText('Enter the URL of a YouTube playlist or channel')).toBeVisible()
  // Follow is pressed before the title of the list is known.
  const lookedUp = Promise.withResolvers<void>()
  await page.route('**/api/metadata/lists**', async (route) => {
    await lookedUp.promise
    await route.continue()
  })
  await dialog.getByLabel('Playlist or channel URL').fill('youtube.com/playlist?list=PLfollowed')
  await dialog.getByRole('button', { name: 'Follow' }).click()
  await expect(dialog.getByText('Enter a tag')).toBeVisible()
  lookedUp.resolve()
  await expect(dialog.getByText('Enter a tag')).toBeHidden()
  await expect(dialog.getByText('Weekly Mix, 2 videos')).toBeVisible()
  await expect(dialog.getByLabel('Tag')).toHaveValue('Weekly Mix')
  await dialog.getByText('Library', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Follow' }).click()
  await expectToast(page, 'List followed', 'Checking youtube.com/playlist?list=PLfollowed now.')
  const row = lists.getByRole('listitem', { name: 'Weekly Mix' })
  await expect(row).toContainText('2 videos on YouTube, 2 new, last now.', { timeout: 30_000 })
  await expect(row).toContainText('New videos are added to YouTube Playlist with the tag “Weekly Mix”.')

  // On a phone every action is reachable.
  await page.setViewportSize({ width: 390, height: 844 })
  await row.getByRole('button', { name: 'Pause Weekly Mix' }).click()
  await expect(row).toContainText('Paused.')
  await page.setViewportSize({ width: 1280, height: 720 })
  await lists.getByRole('button', { name: 'Close' }).click()
  await adding.getByRole('button', { name: 'Close' }).click()

  await search(page, 'Followed 1')
  await expect(rows(page)).toHaveCount(1, { timeout: 60_000 })
  await rows(page).getByRole('checkbox').check()
  await library(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete video' }).click()
  await expect(rows(page)).toHaveCount(0)

  web.youtube.setPlaylist('PLfollowed', [third, first, second])
  await openAddVideos(page)
  await adding.getByRole('button', { name: 'Followed lists' }).click()
  await row.getByRole('button', { name: 'Resume Weekly Mix' }).click()
  await expect(row).toContainText('3 videos on YouTube, 3 new', { timeout: 30_000 })

  web.youtube.removePlaylist('PLfollowed')
  await row.getByRole('button', { name: 'Pause Weekly Mix' }).click()
  await row.getByRole('button', { name: 'Resume Weekly Mix' }).click()
  await expect(row).toContainText('It is private, deleted, or the URL is wrong.', { timeout: 30_000 })
  await row.getByRole('button', { name: 'Stop following Weekly Mix' }).click()
  await page
    .getByRole('dialog', { name: 'Stop following Weekly Mix?' })
    .getByRole('button', { name: 'Stop following' })
    .click()
  await expect(lists.getByText('No followed lists yet')).toBeVisible()
  await lists.getByRole('button', { name: 'Close' }).click()
  await adding.getByRole('button', { name: 'Close' }).click()
  await search(page, 'The Mixers')
  await expect(rows(page)).toHaveCount(2)
})

test('the videos of a YouTube playlist are imported, and a wrong or empty one is reported', async ({
  page,
}) => {
  const ids = ['imported001', 'imported002']
  for (const [n, id] of ids.entries())
    web.youtube.set(id, { title: `Imported ${n + 1}`, channel: 'The Band' })
  web.youtube.setPlaylist('PLimported', ids)
  web.youtube.setPlaylist('PLempty', [])
  await openLibrary(page)
  const adding = await openAddVideos(page)
  await adding.getByRole('button', { name: 'Import a YouTube playlist...' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a YouTube playlist' })
  const send = async (url: string) => {
    await dialog.getByLabel('Playlist URL').fill(url)
    await page.keyboard.press('Enter')
  }
  await send('https://youtu.be/imported001')
  await expect(dialog.getByText('Please enter the URL of a YouTube playlist.')).toBeVisible()
  await send('youtube.com/playlist?list=PLempty')
  await expect(dialog.getByText('This playlist has no videos.')).toBeVisible()
  await send('youtube.com/playlist?list=PLunknown')
  await expectToast(page, 'Error processing videos')
  await send('https://www.youtube.com/playlist?list=PLimported')
  await expectToast(page, 'Videos added successfully', '2 videos added. Metadata will follow.')
  await expect(dialog).toBeHidden()
  await expect(adding).toBeHidden()
  await search(page, 'The Band')
  await expect(rows(page)).toHaveCount(2, { timeout: 30_000 })
  await expect(rows(page).filter({ hasText: 'Imported 2' })).toContainText('YouTube Playlist')
})
