import type { BrowserContext, Page } from '@playwright/test'

/** The station's URL and the ids of the data in the screenshots. */
export interface StationData {
  url: string
  playlistId: string
  channelId: string
}

/** One screenshot of the documentation, taken at every width. */
export interface Scene {
  /** File name without its end: `<name>-<width>.webp`. */
  name: string
  /** Short description. */
  shows: string
  /** Opens the page; resolves when everything is visible. */
  open: (page: Page, data: StationData) => Promise<void>
}

/** Scenes of one account; `before` runs first. */
export interface Walk {
  as: 'visitor' | 'member' | 'admin'
  scenes: readonly Scene[]
  before?: (context: BrowserContext, data: StationData) => Promise<void>
}

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

export const heading = (page: Page, name?: string | RegExp): Promise<void> =>
  page
    .getByRole('heading', name === undefined ? { level: 1 } : { name })
    .first()
    .waitFor()

/** Opens or closes the chat of the live page; it is initially open on wide screens. */
export async function showChat(page: Page, isWanted: boolean): Promise<void> {
  const button = page.getByRole('button', { name: 'Chat', exact: true })
  const isOpen = (await button.getAttribute('aria-pressed')) === 'true'
  if (isOpen !== isWanted) await button.click()
  const messages = page.getByRole('log', { name: 'Messages' }).getByRole('listitem')
  if (isWanted) await messages.first().waitFor()
}
