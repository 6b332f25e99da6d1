/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import { type Browser, expect, type Page } from '@playwright/test'
import { signInByForm } from '../support/web-pages.ts'

/** How far the live picture has come (seconds); undefined while there is none. */
const pictureAt = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('video')].filter((video) => !video.paused)
    return shown.map((video) => video.currentTime).find((time) => time > 0)
  })

/** Waits until the picture has moved on by itself. */
export async function expectPictureToMove(page: Page): Promise<void> {
  const before = await pictureAt(page)
  await expect.poll(async () => (await pictureAt(page)) !== before, { timeout: 15_000 }).toBe(true)
}

/** What a station must be able to do at the least, seen through a browser. Leaves a chat message behind. */
export async function smokeTest(
  browser: Browser,
  url: string,
  admin: { email: string; password: string },
): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${url}/live?channel=test-card`)
    await expect(page.getByText('LIVE', { exact: true }).first()).toBeVisible()
    await expectPictureToMove(page)

    await signInByForm(page, url, admin)
    await page.getByRole('combobox', { name: 'Search' }).fill('a')
    await expect(page.getByRole('option').first()).toBeVisible()

    await page.goto(`${url}/live?channel=test-card`)
    await page.getByRole('button', { name: 'Chat', exact: true }).click()
    const text = `smoke ${randomUUID()}`
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('log').getByText(text)).toBeVisible()

    await page.keyboard.press('Escape')
    await page.goto(`${url}/admin`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Loading...')).toBeHidden()
  } finally {
    await context.close()
  }
}
