/// <reference lib="dom" />

import { withClient } from '@looptide/runner/database/set-up'
import { testAdmin } from '@looptide/testkit/station'
import { expect, test } from '@playwright/test'
import { signInByForm } from './support/web-pages.ts'
import { useWebStation } from './support/web-station.ts'

const web = useWebStation()

test('5,000 videos scroll, are found and chosen as lightly as ten', async ({ page }) => {
  await withClient(web.station.databaseUrl, async (client) => {
    await client.query('set search_path to catalogue, public')
    await client.query(
      `insert into catalogue.videos (id, title, artist_name, artist_given, category, duration_ms, duration_assumed,
         video_url, is_public, metadata_status, created_at)
       select gen_random_uuid(), 'Shelf ' || to_char(n, 'FM0000'), 'The Archive', true, 'Classics', 180000, false,
         'https://media.example/' || n, true, 'resolved', now() - n * interval '1 minute'
       from generate_series(1, 5000) n`,
    )
  })
  await signInByForm(page, web.url, testAdmin)
  await page.goto(`${web.url}/admin`)
  const library = page.getByRole('region', { name: /^Video Library/ })
  const rows = library.getByRole('list', { name: 'Videos' }).getByRole('listitem')
  await library.getByLabel('Filter by category').selectOption({ label: 'Classics' })
  await library.getByLabel('Sort').selectOption({ label: 'Title A-Z' })
  await expect(library.getByRole('heading')).toHaveText(/\(50\d\d\)/)

  // To the very end, page by page as they come.
  const last = rows.filter({ hasText: 'Shelf 5000' })
  const scroller = library.getByRole('list', { name: 'Videos' }).locator('..')
  await expect(async () => {
    await scroller.evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await expect(last).toBeAttached({ timeout: 100 })
  }).toPass({ intervals: [50], timeout: 60_000 })
  // Wherever one is on the way back, only the rows in sight are in the page.
  const mostRows = await scroller.evaluate(async (list) => {
    let most = 0
    for (let step = 40; step >= 0; step -= 1) {
      list.scrollTo(0, (list.scrollHeight * step) / 40)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      most = Math.max(most, list.querySelectorAll('li').length)
    }
    return most
  })
  expect(mostRows).toBeLessThan(40)

  await library.getByRole('button', { name: 'Select All' }).click()
  await expect(library.getByText(/^50\d\d selected$/)).toBeVisible({ timeout: 30_000 })
  expect(await rows.count()).toBeLessThan(40)
  await expect(rows.first().getByRole('checkbox')).toBeChecked()
  await library.getByRole('button', { name: 'Clear All' }).click()
  await expect(library.getByText('0 selected')).toBeVisible()

  await library.getByLabel('Search the library').fill('shelf 4321')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Shelf 4321')
})
