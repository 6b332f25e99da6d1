/// <reference lib="dom" />

import { expect, type Locator, type Page } from '@playwright/test'
import type { Point } from './drag.ts'

/** Opens the schedule of a channel that has none, and starts one with a template. */
export async function startSchedule(
  page: Page,
  url: string,
  channelId: string,
  template: 'Start a schedule' | 'Start with day and night',
): Promise<void> {
  await page.goto(`${url}/admin/schedule?channel=${channelId}`)
  await page.getByRole('button', { name: template }).click()
  await expectSaved(page)
}

/** Waits until the last change is saved as the draft. */
export const expectSaved = (page: Page) =>
  expect(page.getByText('Draft saved.', { exact: true })).toBeVisible()

/** A day's column of the week grid. */
export const column = (page: Page, day: string): Locator =>
  page.getByRole('region', { name: day, exact: true })

/** A block of the week grid by its name and day. */
export const block = (page: Page, name: string, day: string): Locator =>
  column(page, day).getByRole('button', { name: new RegExp(`^${name} ${day} `) })

/**
 * Returns the point of a day's column at a time of day (hours), and scrolls it into view. Of two points, request the one
 * that may need scrolling first.
 */
export async function pointAt(page: Page, day: string, hours: number): Promise<Point> {
  const box = await column(page, day).boundingBox()
  if (!box) throw new Error(`the column of ${day} is not visible`)
  const viewport = page.viewportSize()?.height ?? 0
  const y = box.y + (box.height * hours) / 24
  const hidden = y < 200 ? y - 200 : Math.max(0, y - viewport + 150)
  await page.evaluate((top) => window.scrollBy({ top, behavior: 'instant' }), hidden)
  const moved = await column(page, day).boundingBox()
  return { x: box.x + box.width / 2, y: (moved?.y ?? box.y) + (box.height * hours) / 24 }
}

export const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('tab', { name, exact: true }).click()
