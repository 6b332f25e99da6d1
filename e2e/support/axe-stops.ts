import type { Page } from '@playwright/test'
import { dialog, heading, menu, type Stop, tab } from './axe-walk.ts'

/** Pages and states for visitors. `videoId` is a public video. */
export const visitorStops = (videoId: string): Stop[] => [
  {
    path: '/',
    shows: (at) => at.getByRole('button', { name: 'Continue with Company' }),
    states: [tab('Quick Sign In'), tab('Sign Up')],
  },
  { path: '/search?q=a', shows: (at) => at.getByRole('listitem').first() },
  { path: '/search?q=nosuchthing', shows: (at) => at.getByText('Sorry video not found') },
  { path: '/nowhere', shows: (at) => at.getByText('404'), isStart: true },
  { path: '/firestick', shows: heading },
  { path: '/pair?code=BCDF-GHJK', shows: heading },
  { path: '/remote', shows: (at) => at.getByText('Sign in to control your TV') },
  { path: '/members', shows: heading },
  { path: '/members/admin', shows: heading },
  { path: '/members/nobody_is_called_this', shows: heading },
  { path: '/playlists/00000000-0000-4000-8000-000000000000', shows: heading },
  { path: '/videos', shows: heading },
  { path: `/videos/${videoId}`, shows: (at) => at.getByRole('dialog') },
  { path: '/history?channel=test-card', shows: heading },
  { path: '/youtube-player', shows: heading },
  { path: '/submissions', shows: heading },
  { path: '/moderation', shows: heading },
  { path: '/takeover', shows: heading },
  {
    path: '/auth/callback?error=x&error_code=bad_oauth_callback&error_description=x',
    shows: heading,
    isStart: true,
  },
  { path: '/auth/confirm', shows: heading, isStart: true },
  { path: '/auth/confirm?token_hash=x&type=magiclink', shows: heading, isStart: true },
  { path: '/auth/reset', shows: heading, isStart: true },
  {
    path: '/live?channel=test-card',
    shows: (at) => at.getByRole('region', { name: 'Up Next' }),
    states: [
      { press: [['button', 'Chat']] },
      dialog('TV Guide'),
      dialog('Search'),
      menu('More'),
      {
        press: [
          ['button', 'More'],
          ['menuitem', /^Sync/],
        ],
        opens: 'dialog',
      },
      {
        press: [
          ['button', 'More'],
          ['menuitem', 'Share'],
        ],
        opens: 'dialog',
      },
      dialog(/^Channels/),
    ],
  },
]

/** The pages of the profile of a member with an access token, and an authenticator in the browser. */
const profileStops: readonly Stop[] = [
  {
    path: '/members',
    shows: (at) => at.getByLabel('Handle'),
    states: [dialog('Use a URL')],
  },
  { path: '/members/my-playlists', shows: heading },
  { path: '/members/my-submissions', shows: heading },
  {
    path: '/members/sign-in',
    shows: (at) => at.getByRole('region', { name: 'Passkeys' }).getByRole('button').first(),
    states: [
      dialog('Change Email'),
      dialog('Change Password'),
      dialog('Turn On'),
      dialog('Use a Security Key'),
      {
        press: [
          ['button', 'Add Passkey'],
          ['button', 'Continue'],
        ],
      },
      dialog(/^Rename /),
      dialog(/^Remove /),
    ],
  },
  {
    path: '/members/my-devices',
    shows: (at) => at.getByRole('button', { name: 'New Token' }),
    states: [dialog('New Token'), dialog(/^Revoke /)],
  },
  {
    path: '/pair',
    shows: (at) => at.getByLabel('Code on the TV'),
    states: [{ press: [['button', 'Continue']] }],
  },
  { path: '/pair?code=BCDF-GHJK', shows: (at) => at.getByText('No TV shows this code') },
  { path: '/remote', shows: (at) => at.getByText('No TV is paired') },
  {
    path: '/members/my-data',
    shows: heading,
    states: [{ press: [['button', 'Download My Data']] }, dialog('Delete Account')],
  },
]

/**
 * What members can reach who have an access token, and an authenticator in their browser. `playlistId` is a playlist of
 * theirs with videos in it.
 */
export const memberStops = (playlistId: string): Stop[] => [
  {
    path: '/home',
    shows: (at) => at.getByRole('heading', { name: 'All Videos' }),
    states: [dialog(/^Highlight 1/, /^More Info/), dialog(/^More Info/, 'Play Now'), menu('Account')],
  },
  ...profileStops,
  {
    path: `/youtube-player?tab=playlists&playlist=${playlistId}`,
    shows: (at) => at.getByRole('region', { name: 'Playlist details' }).getByRole('listitem').first(),
    states: [
      dialog('Rename'),
      { press: [['button', 'Play']] },
      tab('Add Videos'),
      {
        press: [
          ['tab', 'Playlists'],
          ['button', 'New Playlist'],
        ],
      },
    ],
  },
  { path: `/playlists/${playlistId}`, shows: heading },
  { path: '/videos', shows: heading },
  { path: '/submissions', shows: heading },
  {
    path: '/live?channel=test-card',
    shows: (at) => at.getByRole('region', { name: 'Up Next' }),
    states: [{ press: [['button', 'Chat']] }],
  },
]

/** The section that is open on the control panel, below the library, the tabs and the cards of all sections. */
const OPEN_SECTION = 'main div[tabindex="-1"]'

/** The admin pages, section by section, with their dialogs. */
export const adminStops: readonly Stop[] = [
  {
    path: '/admin',
    shows: (at) => at.getByRole('table', { name: 'Videos' }).getByRole('checkbox').first(),
    states: [
      { press: [['checkbox', /./]] },
      dialog('Delete'),
      dialog('Add to Live'),
      menu('Move to...'),
      dialog('Add New Videos'),
      // Dialogs above another one, which the next state closes.
      {
        press: [
          ['button', 'Add New Videos'],
          ['button', 'Followed lists'],
        ],
      },
      {
        press: [
          ['button', 'Close'],
          ['button', 'Import a YouTube playlist...'],
        ],
      },
      {
        press: [
          ['button', 'Close'],
          ['tab', 'Import / Export CSV'],
        ],
      },
      {
        press: [
          ['button', 'Close'],
          ['button', 'Clear All'],
        ],
      },
      // Last, because it is not on a phone, where Escape leaves the page.
      menu('Columns'),
    ],
  },
  {
    path: '/admin?tab=control-room',
    shows: (at) => at.getByRole('list', { name: 'Channels' }).getByRole('progressbar').first(),
  },
  {
    path: '/admin?tab=home-screen',
    shows: (at) => at.getByRole('heading', { name: 'Hero (1 video max)' }),
  },
  {
    path: '/admin?tab=channels',
    shows: (at) => at.getByRole('button', { name: 'Edit' }).first(),
    states: [dialog('Edit'), dialog('Copy'), dialog('Deactivate'), dialog('Delete'), dialog('Add Videos')],
  },
  {
    path: '/admin/channels/test-card',
    shows: (at) => at.getByRole('article', { name: 'Test Card' }),
    states: ['Playlist', 'Schedule', 'Chat', 'Settings'].map(tab),
  },
  {
    path: '/admin?tab=user-management',
    shows: (at) => at.getByRole('list', { name: 'Users' }),
    states: [dialog(/change role of/), dialog(/^Sign-in of /), dialog(/^Ban /)],
  },
  {
    path: '/admin?tab=theme-customizer',
    shows: (at) => at.getByRole('list', { name: 'Presets' }),
    states: ['Colors', 'Typography', 'Layout', 'Assets'].map(tab),
  },
  {
    path: '/admin?tab=submissions',
    shows: (at) => at.getByRole('heading', { name: /Submissions/ }).first(),
  },
  { path: '/admin?tab=nothing', shows: (at) => at.getByText('Section not found') },
  {
    path: '/admin/schedule',
    shows: (at) => at.getByRole('button', { name: 'Start a schedule' }),
    states: [
      { press: [['button', 'Start with day and night']] },
      dialog('Add block'),
      dialog('Copy Monday'),
      tab('Calendar'),
      dialog('Add special'),
      dialog('Add holiday'),
      tab('Clocks'),
      dialog('Add clock'),
      tab('Sources'),
      dialog('Add source'),
      tab('Rules'),
      dialog('Exclude a song'),
      tab('Preview'),
      tab('Versions'),
      dialog('Publish'),
    ],
  },
  { path: '/admin/audit', shows: (at) => at.getByRole('list', { name: 'Audit log' }) },
  { path: '/admin/pages', shows: heading },
  { path: '/submissions', shows: heading },
  { path: '/moderation', shows: (at) => at.getByText('No reports waiting'), states: [tab('Word list')] },
  {
    path: '/takeover?channel=test-card',
    shows: (at) => at.getByRole('dialog').getByRole('list', { name: 'Videos to choose from' }),
  },
  { path: '/takeover', shows: (at) => at.getByRole('article', { name: 'Test Card' }) },
  {
    path: '/control',
    shows: (at) => at.getByRole('table', { name: 'Videos' }).getByRole('checkbox').first(),
    states: ['Playlist', 'Channels'].map(tab),
  },
  {
    path: '/control?section=stream-manager',
    shows: (at) => at.getByRole('button', { name: 'Stop Stream' }).first(),
    part: OPEN_SECTION,
    states: [
      dialog('Stop Stream'),
      ...['Control', 'Quarantine', 'Metadata', 'Dead Letters', 'Health'].map(tab),
    ],
  },
  ...Object.entries({
    'home-screen': 'Home Screen Management',
    'theme-customizer': 'Theme Customizer',
    'page-editor': 'Page Editor',
    channels: 'Channel Manager',
    'user-management': 'User Management',
  }).map(([section, title]) => ({
    path: `/control?section=${section}`,
    shows: (at: Page) => at.getByRole('heading', { name: title }).first(),
    part: OPEN_SECTION,
  })),
]
