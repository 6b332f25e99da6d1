import { withoutFormat } from './typed-text.ts'

const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
])
const SHORT_HOSTS = new Set(['youtu.be', 'www.youtu.be'])
const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/
const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/
const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/
/** Handles may contain letters of any script. */
const HANDLE = /^@[\p{L}\p{M}\p{N}._·-]{1,100}$/u
const USER_NAME = /^[A-Za-z0-9]{1,60}$/

/** The target of a YouTube URL: a video, a playlist, both or neither. */
export interface YoutubeUrl {
  youtubeId: string | undefined
  hasPlaylist: boolean
}

/** Parses a URL as users type it, with or without a scheme. Null unless it is http or https. */
export function parseWebUrl(typed: string): URL | null {
  const text = withoutFormat(typed).trim()
  if (!/^[a-z0-9]/i.test(text)) return null
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/**
 * Parses a YouTube URL: a watch URL with `v`, a youtu.be short link, or an embed, shorts or live URL. Null if the host is
 * not YouTube's.
 */
export function parseYoutubeUrl(url: URL): YoutubeUrl | null {
  const host = url.hostname.toLowerCase()
  const isShort = SHORT_HOSTS.has(host)
  if (!isShort && !YOUTUBE_HOSTS.has(host)) return null
  const id = isShort ? url.pathname.split('/')[1] : idOnYoutube(url)
  return {
    youtubeId: id !== undefined && YOUTUBE_ID.test(id) ? id : undefined,
    hasPlaylist: url.searchParams.has('list') || url.pathname === '/playlist',
  }
}

function idOnYoutube(url: URL): string | undefined {
  const [, first, second] = url.pathname.split('/')
  if (first === 'watch') return url.searchParams.get('v') ?? undefined
  return first === 'embed' || first === 'shorts' || first === 'live' || first === 'v' ? second : undefined
}

/** A playlist or channel as its URL names it. A handle includes its `@`; `user` is the name of an old channel URL. */
export interface YoutubeListName {
  kind: 'playlist' | 'channel' | 'handle' | 'user'
  id: string
}

/**
 * Parses the URL of a YouTube playlist or channel, as users type it: any YouTube URL with `list`, `/channel/UC…`,
 * `/@handle` or `/user/…`. Null for any other text, also for `/c/…`, which the Data API cannot look up.
 */
export function parseYoutubeListUrl(text: string): YoutubeListName | null {
  const url = parseWebUrl(text.trim())
  if (url === null || parseYoutubeUrl(url) === null) return null
  const list = url.searchParams.get('list')
  if (list !== null) return PLAYLIST_ID.test(list) ? { kind: 'playlist', id: list } : null
  const [, first = '', second = ''] = url.pathname.split('/').map(decodeSegment)
  if (HANDLE.test(first)) return { kind: 'handle', id: first }
  if (first === 'channel' && CHANNEL_ID.test(second)) return { kind: 'channel', id: second }
  return first === 'user' && USER_NAME.test(second) ? { kind: 'user', id: second } : null
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
