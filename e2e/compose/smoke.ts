/// <reference lib="dom" />

import { randomUUID } from 'node:crypto'
import { type Browser, expect, type Page } from '@playwright/test'
import { signInByForm } from '../support/web-pages.ts'

/** Position of the live video (s); undefined without one. */
const pictureAt = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('video')].filter((video) => !video.paused)
    return shown.map((video) => video.currentTime).find((time) => time > 0)
  })

/** Waits until the video's position has advanced. */
export async function expectPictureToMove(page: Page): Promise<void> {
  const before = await pictureAt(page)
  await expect.poll(async () => (await pictureAt(page)) !== before, { timeout: 15_000 }).toBe(true)
}

/** Checks the basic functions of a station in a browser. Posts one chat message. */
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
