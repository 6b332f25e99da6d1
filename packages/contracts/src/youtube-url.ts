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

/** What a YouTube URL refers to: a video, a playlist, both or neither. */
export interface YoutubeUrl {
  youtubeId: string | undefined
  hasPlaylist: boolean
}

/** Parses a URL as users type it, with or without a scheme. Null unless it is http or https. */
export function parseWebUrl(text: string): URL | null {
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
