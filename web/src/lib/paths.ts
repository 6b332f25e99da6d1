/** The tabs of the playlist player. */
export type PlayerTab = 'player' | 'add' | 'playlists'

/** Where a TV is paired. Also for scripts that are too small for {@link paths}. */
export const PAIR_PAGE = '/pair'

/** The paths of the app as functions. All links and redirects use them. */
export const paths = {
  root: () => '/',
  /** The sign-in screen; `next` is the path to open after the sign-in. */
  signIn: (next?: string) => withQuery('/', { next }),
  home: () => '/home',
  live: (query?: { channel?: string }) => withQuery('/live', query),
  /** Search results; `video` is the one chosen from the suggestions. */
  search: (query?: { q?: string; artist?: string; video?: string }) => withQuery('/search', query),
  videos: () => '/videos',
  /** All videos, with the details dialog of one. */
  video: (id = ':videoId') => `/videos/${id}`,
  /** The programmes of a channel up to an instant (epoch ms), by default up to now. */
  history: (query?: { channel?: string; at?: number }) =>
    withQuery('/history', {
      channel: query?.channel,
      at: query?.at === undefined ? undefined : String(query.at),
    }),
  /** One programme that was on, by an instant (epoch ms) within it; `/again` plays the hour from it on. */
  airing: (channel = ':channelId', at: number | ':at' = ':at', again: '' | '/again' = '') =>
    `/history/${channel}/${at}${again}`,
  /** The first page of the own profile. The names of the others have a hyphen, which handles have not. */
  members: () => '/members',
  ownPlaylists: () => '/members/my-playlists',
  ownSubmissions: () => '/members/my-submissions',
  ownReminders: () => '/members/my-reminders',
  /** How the user signs in: email address, password, second factors, passkeys and linked accounts. */
  signInSettings: () => '/members/sign-in',
  devices: () => '/members/my-devices',
  ownData: () => '/members/my-data',
  /** Where an anonymous user adds an email address. */
  createAccount: () => '/members#create-account',
  /** The user's accounts at OpenID providers. */
  linkedAccounts: () => '/members/sign-in#linked-accounts',
  /** A user's public page. */
  member: (handle = ':handle') => `/members/${handle}`,
  /** The public page of a playlist. */
  playlist: (id = ':id') => `/playlists/${id}`,
  /** The playlist player; `playlist` selects one in the Playlists tab, `play` starts one. */
  playlistPlayer: (query?: { tab?: PlayerTab; playlist?: string; play?: string }) =>
    withQuery('/youtube-player', query),
  /** Where a TV is paired; `code` is the one that it shows. */
  pair: (code?: string) => withQuery(PAIR_PAGE, { code }),
  /** The remote control for paired TVs. */
  remote: () => '/remote',
  firestick: () => '/firestick',
  /** A section of the admin dashboard; `channel` is the one whose playlist is open. */
  admin: (tab?: string, channel?: string) => withQuery('/admin', { tab, channel }),
  /** A tab of the 24/7 Stream Manager, which is part of the channels section. */
  streamManager: (tab?: string) => withQuery('/admin', { tab: 'channels', manager: tab }),
  /** The list of all channels, for admins. */
  channels: () => '/admin/channels',
  /** A channel's page, for admins; `view` is the open tab. */
  channel: (id = ':id', view?: string) => withQuery(`/admin/channels/${id}`, { view }),
  /** The page editor, whose layouts are stored in the browser. */
  pageEditor: () => '/admin/pages',
  /** The schedule of a channel, for admins. */
  schedule: (query?: { channel?: string }) => withQuery('/admin/schedule', query),
  /** Videos added by viewers, for moderators. */
  submissions: () => '/submissions',
  /** The moderation of the chat, for moderators. */
  moderation: () => '/moderation',
  /** Live takeovers, for moderators; `channel` opens the form of one channel. */
  takeover: (query?: { channel?: string }) => withQuery('/takeover', query),
  /** The audit log of admin actions; `id` is its only entry that is shown. */
  audit: (query?: { id?: string }) => withQuery('/admin/audit', query),
  /** The control panel; `section` is the one that is open below the cards. */
  control: (section?: string) => withQuery('/control', { section }),
  confirm: () => '/auth/confirm',
  reset: () => '/auth/reset',
  /** Where a provider's sign-in returns; `next` is the page to open, `linked` the provider that was linked. */
  callback: (query?: { next?: string; linked?: string }) => withQuery('/auth/callback', query),
} as const

function withQuery(path: string, query: Record<string, string | undefined> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, value)
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
