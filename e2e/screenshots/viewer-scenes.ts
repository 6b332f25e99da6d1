/// <reference lib="dom" />

import type { Page } from '@playwright/test'
import { LIVE_SCENES, wake } from './live-scenes.ts'
import { heading, press, type Scene, type StationData } from './scene.ts'
import { drawRunningPicture } from './take-picture.ts'

const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click()

const signInTab = (name: string): Scene['open'] => {
  return async (page, { url }) => {
    await page.goto(url)
    await tab(page, name)
    await page.getByRole('tabpanel').getByLabel('Email').waitFor()
    await page
      .getByRole('link', { name: /Live TV|watch/i })
      .first()
      .waitFor()
  }
}

const details = async (page: Page, { url }: StationData): Promise<void> => {
  await page.goto(url)
  await press(page, /^Highlight 1/)
  await press(page, /^More Info/)
  await page.getByRole('dialog').getByRole('button', { name: 'Play Now' }).waitFor()
}

/** Pages as visitors see them. */
export const VISITOR_SCENES: readonly Scene[] = [
  { name: 'sign-in', shows: 'Sign-in page: Sign In', open: signInTab('Sign In') },
  { name: 'sign-in-quick', shows: 'Sign-in page: Quick Sign In', open: signInTab('Quick Sign In') },
  { name: 'sign-up', shows: 'Sign-in page: Sign Up', open: signInTab('Sign Up') },
  {
    name: 'live-unavailable',
    shows: 'Live page: station unreachable',
    open: async (page, { url }) => {
      await page.route('**/api/channels/**', (route) => route.abort())
      await page.routeWebSocket('**/realtime/**', (socket) => void socket.close())
      await page.goto(`${url}/live`)
      await page.getByText('Stream server unavailable').waitFor()
      await wake(page)
    },
  },
  {
    name: 'not-found',
    shows: 'Page not found',
    open: async (page, { url }) => {
      await page.goto(`${url}/no/such/page`)
      await page.getByText('Oops! Page not found').waitFor()
    },
  },
  {
    name: 'firestick',
    shows: 'Download for Firestick',
    open: async (page, { url }) => {
      await page.goto(`${url}/firestick`)
      await page.getByRole('link', { name: /Download APK/ }).waitFor()
    },
  },
]

const home: Scene['open'] = async (page, { url }) => {
  await page.goto(url)
  await heading(page, 'All Videos')
}

/** What a member sees. */
export const MEMBER_SCENES: readonly Scene[] = [
  { name: 'home', shows: 'Home', open: home },
  {
    name: 'home-rows',
    shows: 'Home: rows',
    open: async (page, data) => {
      await home(page, data)
      await page.getByRole('heading', { name: 'Featured Content' }).evaluate((row) => row.scrollIntoView())
    },
  },
  { name: 'details', shows: 'Video details', open: details },
  {
    name: 'player-dialog',
    shows: 'Video dialog: playing',
    open: async (page, data) => {
      await details(page, data)
      await press(page, 'Play Now')
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).waitFor()
      await drawRunningPicture(page)
    },
  },
  {
    name: 'search',
    shows: 'Search results',
    open: async (page, { url }) => {
      await page.goto(`${url}/search?q=a`)
      await page.getByText(/video\(s\) found/).waitFor()
    },
  },
  {
    name: 'search-suggestions',
    shows: 'Search suggestions',
    open: async (page, { url }) => {
      await page.goto(`${url}/firestick`)
      const opener = page.getByRole('button', { name: 'Open search' })
      await opener
        .or(page.getByRole('combobox', { name: 'Search' }))
        .first()
        .waitFor()
      if (await opener.isVisible()) await opener.click()
      await page.getByRole('combobox', { name: 'Search' }).fill('ad')
      await page.getByRole('option').first().waitFor()
    },
  },
  ...LIVE_SCENES,
  {
    name: 'videos',
    shows: 'All Videos',
    open: async (page, { url }) => {
      await page.goto(`${url}/videos`)
      await page.getByRole('main').getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'profile',
    shows: 'My Profile',
    open: async (page, { url }) => {
      await page.goto(`${url}/members`)
      await page.getByLabel('Handle').waitFor()
    },
  },
  {
    name: 'profile-sign-in',
    shows: 'My Profile, Sign-in',
    open: async (page, { url }) => {
      await page.goto(`${url}/members/sign-in`)
      await page.getByRole('region', { name: 'Passkeys' }).waitFor()
    },
  },
  {
    name: 'profile-two-step',
    shows: 'My Profile, Sign-in: setting up two-step verification',
    open: async (page, { url }) => {
      await page.goto(`${url}/members/sign-in`)
      await page
        .getByRole('region', { name: 'Two-step verification' })
        .getByRole('button', { name: 'Turn On' })
        .click()
      await page.getByRole('img', { name: 'QR code of the secret below' }).waitFor()
    },
  },
  {
    name: 'member',
    shows: 'Public page of a user',
    open: async (page, { url }) => {
      await page.goto(`${url}/members/marlene`)
      await page.getByText('Night Drive').first().waitFor()
    },
  },
  {
    name: 'playlist',
    shows: 'Shared playlist',
    open: async (page, { url, playlistId }) => {
      await page.goto(`${url}/playlists/${playlistId}`)
      await page.getByRole('list', { name: 'Videos' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'playlist-player-empty',
    shows: 'Playlist player: empty queue',
    open: async (page, { url }) => {
      await page.goto(`${url}/youtube-player`)
      await page.getByText('No videos loaded').waitFor()
    },
  },
  {
    name: 'playlist-player',
    shows: 'The playlist player',
    open: async (page, { url, playlistId }) => {
      await page.goto(`${url}/youtube-player?play=${playlistId}`)
      await page.getByRole('group', { name: 'Playback' }).getByRole('button', { name: 'Pause' }).waitFor()
      await page.getByRole('region', { name: 'Player', exact: true }).locator('video').waitFor()
      await drawRunningPicture(page)
    },
  },
  {
    name: 'playlist-player-add',
    shows: 'Add Videos',
    open: async (page, { url }) => {
      await page.goto(`${url}/youtube-player?tab=add`)
      await page.getByText('Bulk Import').click()
      await page.getByLabel('YouTube URLs').waitFor()
    },
  },
  {
    name: 'playlist-player-playlists',
    shows: 'Your Playlists',
    open: async (page, { url, playlistId }) => {
      await page.goto(`${url}/youtube-player?tab=playlists&playlist=${playlistId}`)
      await page.getByRole('region', { name: 'Playlist details' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'history',
    shows: 'What was on',
    open: async (page, { url }) => {
      await page.goto(`${url}/history?channel=test-card`)
      await heading(page)
      await page.getByRole('main').getByRole('listitem').first().waitFor()
    },
  },
]

/** The same in another theme, with a hero background. */
export const THEMED_VISITOR_SCENES: readonly Scene[] = [
  { name: 'theme-sign-in', shows: 'Sign-in page in another theme', open: signInTab('Sign In') },
]
export const THEMED_MEMBER_SCENES: readonly Scene[] = [
  { name: 'theme-home', shows: 'Home in another theme', open: home },
  {
    name: 'theme-welcome',
    shows: 'Home in another theme, without videos',
    open: async (page, { url }) => {
      await page.route('**/api/home*', (route) => route.fulfill({ json: { hero: [], rows: [] } }))
      await page.goto(url)
      await page.getByText('No videos yet').waitFor()
    },
  },
]
