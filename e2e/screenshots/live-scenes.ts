/// <reference lib="dom" />

import type { Page } from '@playwright/test'
import { heading, press, type Scene, type StationData, showChat } from './scene.ts'
import { drawRunningPicture } from './take-picture.ts'

const TUNE_IN_MS = 60_000

/** Opens the live page with a playing video, visible controls, and the chat open or closed. */
async function tuneIn(page: Page, { url }: StationData, wantsChat: boolean): Promise<void> {
  await page.goto(`${url}/live`)
  await page.locator('[data-testid="live-picture"][data-state="playing"]').waitFor({ timeout: TUNE_IN_MS })
  await page.getByRole('region', { name: 'Up Next' }).getByRole('listitem').first().waitFor()
  await showChat(page, wantsChat)
  await drawRunningPicture(page)
  await wake(page)
}

/** Moving the mouse shows the controls over the video again. */
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
    shows: 'Live page: chat',
    open: (page, data) => tuneIn(page, data, true),
  },
  {
    name: 'live',
    shows: 'Live page: Up Next',
    open: (page, data) => tuneIn(page, data, false),
  },
  {
    name: 'live-offline',
    shows: 'Live page: offline',
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
    shows: 'TV Guide: the tracks of a block',
    open: async (page, data) => {
      await panel(page, data, 'TV Guide')
      await page.getByRole('list', { name: '24/7 Live Stream' }).getByRole('button').first().click()
      await page.getByRole('list', { name: 'Tracks' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'guide-programme',
    shows: 'TV Guide: details of a programme',
    open: async (page, data) => {
      await panel(page, data, 'TV Guide')
      await page.getByRole('list', { name: '24/7 Live Stream' }).getByRole('button').first().click()
      await page.getByRole('list', { name: 'Tracks' }).getByRole('button').nth(3).click()
      await page.getByRole('dialog').getByRole('term').filter({ hasText: 'Duration' }).waitFor()
    },
  },
  {
    name: 'live-search',
    shows: 'Live page: Search Videos',
    open: async (page, data) => {
      await panel(page, data, 'Search')
      await page.getByRole('dialog').getByRole('searchbox').fill('ad')
      await page.getByRole('list', { name: 'Videos found' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'live-video-details',
    shows: 'Live page: Video Details',
    open: async (page, data) => {
      await panel(page, data, 'Search')
      await page.getByRole('dialog').getByRole('searchbox').fill('ad')
      await page.getByRole('list', { name: 'Videos found' }).getByRole('button').first().click()
      await page.getByRole('button', { name: 'Play This Video' }).waitFor()
    },
  },
  {
    name: 'live-channels',
    shows: 'Live page: channels',
    open: (page, data) => panel(page, data, /^Channels/),
  },
  {
    name: 'live-more',
    shows: 'Live page: what is seldom needed',
    open: async (page, data) => {
      await tuneIn(page, data, false)
      await press(page, 'More')
      await page.getByRole('menuitem', { name: 'Share' }).waitFor()
    },
  },
  {
    name: 'live-sync',
    shows: 'Live page: synchronisation',
    open: async (page, data) => {
      await tuneIn(page, data, false)
      await press(page, 'More')
      await page.getByRole('menuitem', { name: /^Sync/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'live-corner',
    shows: 'The live picture in the corner of another page',
    open: async (page, data) => {
      await tuneIn(page, data, false)
      await page.keyboard.press('Escape')
      await heading(page, 'All Videos')
      await page.getByRole('region', { name: 'Live TV' }).getByRole('button', { name: 'Close' }).waitFor()
      await drawRunningPicture(page)
    },
  },
]
