/// <reference lib="dom" />

import type { Page } from '@playwright/test'
import { drawRunningPicture } from './darkroom.ts'
import { press, type Scene, type StationData, showChat } from './scene.ts'

const TUNE_IN_MS = 60_000

/** The live page with its picture running, its controls in sight, and the chat as wanted. */
async function tuneIn(page: Page, { url }: StationData, wantsChat: boolean): Promise<void> {
  await page.goto(`${url}/live`)
  await page.locator('[data-testid="live-picture"][data-state="playing"]').waitFor({ timeout: TUNE_IN_MS })
  await page.getByRole('region', { name: 'Up Next' }).getByRole('listitem').first().waitFor()
  await showChat(page, wantsChat)
  await drawRunningPicture(page)
  await wake(page)
}

/** What fades away over the picture comes back with the mouse. */
export async function wake(page: Page): Promise<void> {
  await page.mouse.move(200, 200)
  await page.mouse.move(210, 205)
}

const panel = async (page: Page, data: StationData, button: string | RegExp): Promise<void> => {
  await tuneIn(page, data, false)
  await press(page, button)
  await page.getByRole('dialog').waitFor()
}

/** The live page, its states and its dialogs. */
export const LIVE_SCENES: readonly Scene[] = [
  {
    name: 'live-chat',
    shows: 'The live page with its chat',
    open: (page, data) => tuneIn(page, data, true),
  },
  {
    name: 'live',
    shows: 'The live page with Up Next',
    open: (page, data) => tuneIn(page, data, false),
  },
  {
    name: 'live-offline',
    shows: 'The live page of somebody who is offline',
    open: async (page, data) => {
      await tuneIn(page, data, false)
      await page.context().setOffline(true)
      await page.getByText(/Loaded videos keep playing/).waitFor()
      await wake(page)
    },
  },
  {
    name: 'guide',
    shows: 'TV Guide',
    open: async (page, data) => {
      await panel(page, data, 'TV Guide')
      await page.getByRole('dialog').getByRole('list', { name: '24/7 Live Stream' }).waitFor()
    },
  },
  {
    name: 'guide-tracks',
    shows: 'A block of the guide, opened',
    open: async (page, data) => {
      await panel(page, data, 'TV Guide')
      await page.getByRole('list', { name: '24/7 Live Stream' }).getByRole('button').first().click()
      await page.getByRole('list', { name: 'Tracks' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'guide-programme',
    shows: 'A programme of the guide',
    open: async (page, data) => {
      await panel(page, data, 'TV Guide')
      await page.getByRole('list', { name: '24/7 Live Stream' }).getByRole('button').first().click()
      await page.getByRole('list', { name: 'Tracks' }).getByRole('button').nth(3).click()
      await page.getByRole('dialog').last().getByRole('button', { name: 'Watch Now' }).waitFor()
    },
  },
  {
    name: 'live-search',
    shows: 'Search Videos on the live page',
    open: async (page, data) => {
      await panel(page, data, 'Search')
      await page.getByRole('dialog').getByRole('searchbox').fill('ad')
      await page.getByRole('list', { name: 'Videos found' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'live-video-details',
    shows: 'Video Details on the live page',
    open: async (page, data) => {
      await panel(page, data, 'Search')
      await page.getByRole('dialog').getByRole('searchbox').fill('ad')
      await page.getByRole('list', { name: 'Videos found' }).getByRole('button').first().click()
      await page.getByRole('button', { name: 'Play This Video' }).waitFor()
    },
  },
  {
    name: 'live-channels',
    shows: 'The channels',
    open: (page, data) => panel(page, data, /^Channels/),
  },
  {
    name: 'live-sync',
    shows: 'How well the page keeps time',
    open: (page, data) => panel(page, data, /^Sync/),
  },
]
