import type { Page } from '@playwright/test'
import { libraryRows } from '../support/library.ts'
import { heading, press, type Scene, type StationData, showChat } from './scene.ts'

/** Opens a section of the dashboard and waits until its list is loaded. */
async function section(page: Page, { url }: StationData, tab: string, title: string): Promise<void> {
  await page.goto(`${url}/admin?tab=${tab}`)
  await page.getByRole('main').getByRole('heading', { name: title }).first().waitFor()
}

const library = async (page: Page, data: StationData): Promise<void> => {
  await section(page, data, 'video-library', 'Video Library')
  await libraryRows(page).first().waitFor()
}

const channels = async (page: Page, data: StationData): Promise<void> => {
  await section(page, data, 'channels', 'Channel Manager')
  await page.getByRole('list', { name: 'Channels' }).getByRole('listitem').first().waitFor()
}

/** Opens the playlist of the demo channel and scrolls it into view. */
async function channelPlaylist(page: Page, data: StationData): Promise<void> {
  await channels(page, data)
  const manager = page.getByRole('region', { name: 'Channel Playlist Manager' })
  await manager.getByLabel('Channel', { exact: true }).selectOption({ label: 'Night Drive' })
  await manager
    .getByRole('button', { name: /^Remove:/ })
    .first()
    .waitFor()
  await manager.evaluate((element) => element.scrollIntoView())
}

async function streamManager(page: Page, { url }: StationData, tab: string): Promise<void> {
  await page.goto(`${url}/control?section=stream-manager`)
  const manager = page.getByRole('region', { name: '24/7 Stream Manager' }).last()
  await manager.getByRole('tab', { name: tab, exact: true }).click()
  await manager.getByRole('tabpanel').getByText(/./).first().waitFor()
  await manager.evaluate((element) => element.scrollIntoView())
}

async function users(page: Page, data: StationData): Promise<void> {
  await section(page, data, 'user-management', 'User Management')
  await page.getByRole('list', { name: 'Users' }).getByRole('listitem').first().waitFor()
}

async function theme(page: Page, data: StationData, tab: string): Promise<void> {
  await section(page, data, 'theme-customizer', 'Theme Customizer')
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

async function control(page: Page, { url }: StationData, tab: string): Promise<void> {
  await page.goto(`${url}/control`)
  await libraryRows(page).first().waitFor()
  await page.getByRole('tab', { name: tab, exact: true }).click()
  await page.getByRole('tabpanel').getByText('Loading...').waitFor({ state: 'hidden' })
}

async function pageEditor(page: Page, { url }: StationData): Promise<void> {
  await page.goto(`${url}/admin/pages`)
  await heading(page, 'Page Editor')
  if (await page.getByText('This page is empty').isVisible()) {
    for (const type of ['text', 'image', 'button']) await press(page, `Add ${type}`)
  }
}

/** The demo channel that has a schedule. */
const SCHEDULED_CHANNEL = 'night-and-day'

async function schedule(page: Page, { url }: StationData, tab: string): Promise<void> {
  await page.goto(`${url}/admin/schedule?channel=${SCHEDULED_CHANNEL}`)
  await page.getByRole('tab', { name: tab, exact: true }).click()
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('button').first().waitFor()
  await panel.evaluate((element) => element.scrollIntoView())
}

/** Scenes of admins. */
export const ADMIN_SCENES: readonly Scene[] = [
  { name: 'admin-library', shows: 'Video Library', open: library },
  {
    name: 'admin-library-delete',
    shows: 'Video Library: confirmation before deleting videos',
    open: async (page, data) => {
      await library(page, data)
      const boxes = libraryRows(page).getByRole('checkbox')
      for (const index of [0, 2]) await boxes.nth(index).check()
      await press(page, 'Delete')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'admin-library-csv',
    shows: 'Video Library: CSV import and export',
    open: async (page, data) => {
      await library(page, data)
      await press(page, 'Add New Videos')
      await page.getByRole('tab', { name: 'Import / Export CSV' }).click()
      const csv =
        'url,artist,category\nhttps://youtu.be/fromafile01,Marlene,Classics\nhttps://example.org/x,,\n'
      await page
        .getByLabel('Choose a CSV file')
        .setInputFiles({ name: 'library.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'admin-home-screen',
    shows: 'Home Screen',
    open: async (page, data) => {
      await section(page, data, 'home-screen', 'Home Screen Management')
      await page.getByRole('region', { name: 'Back to the Eighties' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'admin-control-room',
    shows: 'Control Room',
    open: async (page, data) => {
      await section(page, data, 'control-room', 'Control Room')
      await page.getByRole('list', { name: 'Channels' }).getByRole('listitem').first().waitFor()
      await page.getByRole('list', { name: 'Last changes' }).getByRole('listitem').first().waitFor()
    },
  },
  { name: 'admin-channels', shows: 'Channel Manager', open: channels },
  {
    name: 'channel-on-now',
    shows: 'Page of a channel: On now',
    open: async (page, { url }) => {
      await page.goto(`${url}/admin/channels/${SCHEDULED_CHANNEL}`)
      await page.getByRole('button', { name: 'Restart Stream' }).waitFor()
    },
  },
  { name: 'admin-channel-playlist', shows: 'Channel Playlist Manager', open: channelPlaylist },
  {
    name: 'admin-channel-add',
    shows: 'Channel Playlist Manager: adding videos, with a preview of the next hours',
    open: async (page, data) => {
      await channelPlaylist(page, data)
      await page
        .getByRole('region', { name: 'Channel Playlist Manager' })
        .getByRole('button', { name: 'Add Videos' })
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('list', { name: 'Public videos' }).getByRole('checkbox').nth(1).check()
      await dialog.getByText('1 selected').waitFor()
    },
  },
  {
    name: 'admin-users',
    shows: 'User Management',
    open: async (page, data) => {
      await users(page, data)
      await page
        .getByRole('list', { name: 'Users' })
        .getByRole('button', { name: /^jonas/ })
        .click()
    },
  },
  {
    name: 'admin-user-role',
    shows: 'User Management: changing a role',
    open: async (page, data) => {
      await users(page, data)
      await press(page, /change role of otis/)
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'admin-user-ban',
    shows: 'User Management: confirmation before a ban',
    open: async (page, data) => {
      await users(page, data)
      await press(page, 'Ban otis from the site')
      await page.getByRole('dialog').waitFor()
    },
  },
  ...['Presets', 'Colors', 'Typography', 'Layout', 'Assets'].map((tab) => ({
    name: `admin-theme-${tab.toLowerCase()}`,
    shows: `Theme Customizer: ${tab}`,
    open: (page: Page, data: StationData) => theme(page, data, tab),
  })),
  { name: 'admin-page-editor', shows: 'Page Editor', open: pageEditor },
  {
    name: 'admin-audit',
    shows: 'Audit Log',
    open: async (page, { url }) => {
      await page.goto(`${url}/admin/audit`)
      await page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').first().waitFor()
    },
  },
  ...['Add Video', 'Playlist', 'Channels'].map((tab) => ({
    name: `control-${tab.toLowerCase().replace(' ', '-')}`,
    shows: `Control panel: ${tab}`,
    open: (page: Page, data: StationData) => control(page, data, tab),
  })),
  ...['Streams', 'Control', 'Quarantine', 'Metadata', 'Dead Letters', 'Health'].map((tab) => ({
    name: `control-stream-${tab.toLowerCase().replace(' ', '-')}`,
    shows: `24/7 Stream Manager: ${tab}`,
    open: (page: Page, data: StationData) => streamManager(page, data, tab),
  })),
  ...['Week', 'Calendar', 'Clocks', 'Sources', 'Rules', 'Preview', 'Versions', 'Log'].map((tab) => ({
    name: `schedule-${tab.toLowerCase()}`,
    shows: `Channel schedule: ${tab}`,
    open: (page: Page, data: StationData) => schedule(page, data, tab),
  })),
  {
    name: 'schedule-real-week',
    shows: 'Channel schedule: a real week',
    open: async (page, data) => {
      await schedule(page, data, 'Week')
      await page.getByText('Real week', { exact: true }).click()
      await page.getByRole('button', { name: 'Next week' }).waitFor()
    },
  },
  {
    name: 'takeover',
    shows: 'Live takeover: choosing what goes on the air',
    open: async (page, { url }) => {
      await page.goto(`${url}/takeover?channel=test-card`)
      const videos = page.getByRole('dialog').getByRole('list', { name: 'Videos to choose from' })
      await videos.getByRole('button').first().click()
    },
  },
  {
    name: 'submissions',
    shows: 'Submissions',
    open: async (page, { url }) => {
      await page.goto(`${url}/submissions`)
      await page.getByRole('list', { name: 'Submitted videos' }).getByRole('checkbox').first().check()
    },
  },
  {
    name: 'menu',
    shows: 'Account menu of an admin',
    open: async (page, { url }) => {
      await page.goto(url)
      await heading(page, 'All Videos')
      await press(page, 'Account')
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'live-moderation',
    shows: 'Live page: chat with moderation',
    open: async (page, { url }) => {
      await page.goto(`${url}/live`)
      await page.getByRole('region', { name: 'Up Next' }).getByRole('listitem').first().waitFor()
      await showChat(page, true)
      await page.getByRole('button', { name: 'Ban otis from chat' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
]
