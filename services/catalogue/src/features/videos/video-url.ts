/** What one line of the add form is. `skipped` says why it can't be a video. */
export type ParsedLine =
  | { kind: 'youtube'; youtubeId: string }
  | { kind: 'media'; url: string }
  | { kind: 'skipped'; reason: SkipReason }

export type SkipReason = 'playlist_not_supported' | 'not_a_video_url' | 'blank'

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
const MEDIA_PATH = /\.(?:mp4|webm|m3u8)$/i
/** Clips that the gateway serves itself, by a path without tricks. */
const SITE_MEDIA = /^\/test-card\/[A-Za-z0-9._-]+\.(?:mp4|webm|m3u8)$/

const skipped = (reason: SkipReason): ParsedLine => ({ kind: 'skipped', reason })

/**
 * Reads one line (admin specification §5): a watch address with `v`, a short youtu.be link, an embed,
 * shorts or live address, with or without its scheme; an address with a playlist parameter is skipped
 * whatever else it holds. Plain media is an https address of an mp4, webm or m3u8 file, or a clip of
 * this site; it counts only where `allowMedia`.
 */
export function parseVideoLine(line: string, allowMedia: boolean): ParsedLine {
  const text = line.trim()
  if (text === '') return skipped('blank')
  if (SITE_MEDIA.test(text)) return allowMedia ? { kind: 'media', url: text } : skipped('not_a_video_url')
  const url = toUrl(text)
  if (url === null) return skipped('not_a_video_url')
  const host = url.hostname.toLowerCase()
  const isYoutube = YOUTUBE_HOSTS.has(host) || SHORT_HOSTS.has(host)
  if (isYoutube) return parseYoutube(url, host)
  const isMedia =
    allowMedia && url.protocol === 'https:' && url.username === '' && MEDIA_PATH.test(url.pathname)
  return isMedia ? { kind: 'media', url: url.href } : skipped('not_a_video_url')
}

function toUrl(text: string): URL | null {
  if (!/^[a-z0-9]/i.test(text)) return null
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
  const url = URL.parse(withScheme)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

function parseYoutube(url: URL, host: string): ParsedLine {
  if (url.searchParams.has('list') || url.pathname === '/playlist') return skipped('playlist_not_supported')
  const id = SHORT_HOSTS.has(host) ? url.pathname.split('/')[1] : idOnYoutube(url)
  return id !== undefined && YOUTUBE_ID.test(id)
    ? { kind: 'youtube', youtubeId: id }
    : skipped('not_a_video_url')
}

function idOnYoutube(url: URL): string | undefined {
  const [, first, second] = url.pathname.split('/')
  if (first === 'watch') return url.searchParams.get('v') ?? undefined
  return first === 'embed' || first === 'shorts' || first === 'live' || first === 'v' ? second : undefined
}

/** The address the player embeds. */
export const embedUrl = (youtubeId: string): string => `https://www.youtube.com/embed/${youtubeId}`
export const thumbnailUrl = (youtubeId: string): string => `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`

/** A title for plain media, which nobody can be asked about: its file name. */
export function titleOfMedia(url: string): string {
  const file = url.split('?')[0]?.split('/').at(-1) ?? ''
  const name = decodeSafely(file.replace(MEDIA_PATH, '')).replaceAll(/[_-]+/g, ' ').trim()
  return name === '' ? 'Untitled' : name
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
