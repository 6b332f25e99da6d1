/** The tabs of the playlist player. */
export type PlayerTab = 'player' | 'add' | 'playlists'

/** Every address of the app, each as a function. Links and redirects are made with these and nothing else. */
export const paths = {
  root: () => '/',
  /** The sign-in screen; afterwards one is back at `next`, an address of the app. */
  signIn: (next?: string) => withQuery('/', { next }),
  home: () => '/home',
  live: (query?: { channel?: string }) => withQuery('/live', query),
  /** Results; `video` is the one that was chosen from the suggestions. */
  search: (query?: { q?: string; artist?: string; video?: string }) => withQuery('/search', query),
  videos: () => '/videos',
  /** All videos, with the details of one over them. */
  video: (id = ':videoId') => `/videos/${id}`,
  /** What was on a channel, at an instant (epoch ms) or up to now. */
  history: (query?: { channel?: string; at?: number }) =>
    withQuery('/history', {
      channel: query?.channel,
      at: query?.at === undefined ? undefined : String(query.at),
    }),
  members: () => '/members',
  /** Somebody's public page. */
  member: (handle = ':handle') => `/members/${handle}`,
  /** A playlist by its link. */
  playlist: (id = ':id') => `/playlists/${id}`,
  /** The playlist player; `playlist` is opened in its tab, `play` starts at once. */
  playlistPlayer: (query?: { tab?: PlayerTab; playlist?: string; play?: string }) =>
    withQuery('/youtube-player', query),
  firestick: () => '/firestick',
  /** A section of the dashboard; `channel` is the one whose playlist is open in it. */
  admin: (tab?: string, channel?: string) => withQuery('/admin', { tab, channel }),
  /** Layouts of pages, kept in the browser. */
  pageEditor: () => '/admin/pages',
  /** Videos that viewers added, for moderators. */
  submissions: () => '/submissions',
  /** Who did what at the desk. */
  audit: () => '/admin/audit',
  /** The control panel; `section` is the one that is open below the cards. */
  control: (section?: string) => withQuery('/control', { section }),
  confirm: () => '/auth/confirm',
  reset: () => '/auth/reset',
} as const

function withQuery(path: string, query: Record<string, string | undefined> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, value)
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
