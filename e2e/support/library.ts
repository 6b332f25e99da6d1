import type { Locator, Page } from '@playwright/test'

/** The Video Library of the admin pages. */
export const library = (page: Page): Locator => page.getByRole('region', { name: /^Video Library/ })

/** The rows of the library without the heads of the columns. */
export const libraryRows = (page: Page): Locator =>
  library(page).getByRole('table', { name: 'Videos' }).locator('tbody').getByRole('row')

/** Opens the dialog that adds videos. */
export async function openAddVideos(page: Page): Promise<Locator> {
  await library(page).getByRole('button', { name: 'Add New Videos' }).click()
  return page.getByRole('dialog', { name: 'Add New Videos' })
}

/** Adds videos by URL in the dialog, and leaves it open if some were skipped. */
export async function addByUrls(page: Page, urls: string): Promise<void> {
  const dialog = await openAddVideos(page)
  await dialog.getByLabel('Video URLs').fill(urls)
  await dialog.getByRole('button', { name: 'Add Videos' }).click()
}
