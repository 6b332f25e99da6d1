import type { BrowserContext, Page } from '@playwright/test'

/** What a scene finds: the station, and what the evening has put into it. */
export type Stage = {
  url: string
  /** Ids of what is looked at by its address. */
  playlistId: string
  channelId: string
}

/** One picture of the documentation, at every width. */
export type Scene = {
  /** The picture's file: `<name>-<width>.webp`. */
  name: string
  /** What it shows, in a few words. */
  shows: string
  /** Goes there and answers when all is to be seen. */
  open: (page: Page, stage: Stage) => Promise<void>
}

/** Everything that is looked at by one person; `before` is done first. */
export type Walk = {
  as: 'visitor' | 'member' | 'admin'
  scenes: readonly Scene[]
  before?: (context: BrowserContext, stage: Stage) => Promise<void>
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

/** Opens or closes the chat of the live page; it is open from the start where there is room for it. */
export async function showChat(page: Page, isWanted: boolean): Promise<void> {
  const button = page.getByRole('button', { name: 'Chat', exact: true })
  const isOpen = (await button.getAttribute('aria-pressed')) === 'true'
  if (isOpen !== isWanted) await button.click()
  const messages = page.getByRole('log', { name: 'Messages' }).getByRole('listitem')
  if (isWanted) await messages.first().waitFor()
}
