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

/** What an address on YouTube names: a video, a place in a playlist, both or neither. */
export type YoutubeUrl = { youtubeId: string | undefined; hasPlaylist: boolean }

/** An address as people type it, with or without its scheme; null for anything but http and https. */
export function parseWebUrl(text: string): URL | null {
  if (!/^[a-z0-9]/i.test(text)) return null
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(withScheme)) return null
  const url = new URL(withScheme)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/**
 * Reads an address on YouTube (admin specification §5): a watch address with `v`, a short youtu.be link, an embed,
 * shorts or live address. Null when it is not on YouTube.
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
