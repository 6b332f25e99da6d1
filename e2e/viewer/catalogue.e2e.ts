/// <reference lib="dom" />

import { testAdmin } from '@looptide/test-station/station'
import { expect, type Page } from '@playwright/test'
import { addByUrls, libraryRows, openAddVideos } from '../support/library.ts'
import { signUp } from '../support/people.ts'
import { expectToast, signInDirectly } from '../support/web-pages.ts'
import { test, useOwnStation } from '../support/web-station.ts'

const web = useOwnStation()

const VIDEOS = [
  { id: 'aaaaaaaaaa1', title: 'First Light', channel: 'The Early Birds', duration: '3:07', seconds: 187 },
  { id: 'aaaaaaaaaa2', title: 'Second Wind', channel: 'The Late Birds', duration: '4:21', seconds: 261 },
  { id: 'aaaaaaaaaa3', title: 'Third Rail', channel: 'The Night Birds', duration: '1:02:03', seconds: 3723 },
] as const

async function openAdmin(page: Page, tab?: string): Promise<void> {
  await signInDirectly(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin${tab ? `?tab=${tab}` : ''}`)
}

/** A marker that is lost by a reload. */
const markPage = (page: Page) => page.evaluate(() => Object.assign(window, { isSamePage: true }))
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window)

test('an admin adds videos by URL and sees their YouTube metadata without a reload', async ({ page }) => {
  for (const { id, title, channel, seconds } of VIDEOS) {
    web.youtube.set(id, { title, channel, durationS: seconds })
  }
  await openAdmin(page)
  await markPage(page)
  await addByUrls(
    page,
    [
      `https://www.youtube.com/watch?v=${VIDEOS[0].id}`,
      '',
      `  https://youtu.be/${VIDEOS[1].id}  `,
      `https://www.youtube.com/embed/${VIDEOS[2].id}`,
      'https://www.youtube.com/playlist?list=PL0123456789',
    ].join('\n'),
  )
  await expectToast(page, 'Videos added successfully')
  await expectToast(page, 'Some URLs were skipped')
  const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
  await expect(results).toHaveCount(4)
  await expect(results.filter({ hasText: 'Added' })).toHaveCount(3)
  await expect(results.filter({ hasText: 'Playlist URLs are not supported' })).toHaveCount(1)

  await page.keyboard.press('Escape')
  for (const { title, duration } of VIDEOS) {
    const row = libraryRows(page).filter({ hasText: title })
    await expect(row).toBeVisible({ timeout: 30_000 })
    await expect(row).toContainText(duration)
  }
  expect(await isSamePage(page)).toBe(true)
})

test('the new videos enter the timeline, except one that is too long', async ({ page }) => {
  await page.goto(`${web.url}/live`)
  const blocks = page.getByRole('list', { name: '24/7 Live Stream' }).getByRole('button')
  // Clicking a block shows its tracks. A long video is its own block.
  const panel = page.getByRole('dialog').getByRole('region').last()
  const content = page
    .getByRole('list', { name: 'Tracks' })
    .or(page.getByRole('term').filter({ hasText: 'Duration' }))
  await expect(async () => {
    await page.reload()
    await page.getByRole('button', { name: 'TV Guide' }).click()
    // Three hours and some minutes contain every video of the default channel at least once.
    const planned: string[] = []
    for (let index = 0; index < 4; index += 1) {
      await blocks.nth(index).click({ timeout: 30_000 })
      await expect(content).toBeVisible()
      planned.push((await panel.textContent()) ?? '')
      await page.keyboard.press('Escape')
      await expect(content).toBeHidden()
    }
    for (const { title } of [VIDEOS[0], VIDEOS[1]]) expect(planned.join('\n')).toContain(title)
    // It is in no playlist, and longer than the limit of the default channel's fallback.
    expect(planned.join('\n')).not.toContain(VIDEOS[2].title)
  }).toPass()
})

test('they are found by the search', async ({ page }) => {
  await page.goto(`${web.url}/search`)
  await page.getByRole('combobox', { name: 'Search' }).fill('second WIND')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Search Results for "second WIND"' })).toBeVisible()
  await expect(page.getByText('1 video(s) found')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search' }).fill('no such video')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Sorry video not found')).toBeVisible()
  await expect(page.getByText('No videos found matching "no such video"')).toBeVisible()
})

test('a video chosen in the search plays only for this viewer', async ({ page }) => {
  const playSecondWind = async () => {
    await page.goto(`${web.url}/search?q=Second+Wind`)
    await page.getByRole('link', { name: 'Play Now: Second Wind' }).click()
  }
  await playSecondWind()
  await expectToast(page, 'Sign In Required', 'Please sign in to watch videos')

  await signInDirectly(page, web.url, await signUp(web.url, 'chooser'))
  await playSecondWind()
  await expectToast(page, 'Video Selected', 'Now playing: Second Wind')
  await expect(page.getByRole('heading', { level: 1, name: 'Second Wind' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to live' }).click()
  await expectToast(page, 'Switching to Live Stream')
  await expect(page.getByRole('button', { name: 'Back to live' })).toBeHidden()
})

test('invalid URLs are refused with a message', async ({ page }) => {
  await openAdmin(page)
  await openAddVideos(page)
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'Missing information', 'Please provide video URLs')
  await page.getByLabel('Video URLs').fill(' \n ')
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'No valid URLs')
  await page.getByLabel('Video URLs').fill('https://www.youtube.com/playlist?list=PL0123456789')
  await page.getByRole('button', { name: 'Add Videos' }).click()
  await expectToast(page, 'No valid videos to add')
})
