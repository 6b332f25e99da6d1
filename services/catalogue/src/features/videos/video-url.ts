import { parseWebUrl, parseYoutubeUrl } from '@looptide/contracts/youtube-url'

/** One parsed line of the form that adds videos. `reason` of `skipped` says why the line is not a video. */
export type ParsedLine =
  | { kind: 'youtube'; youtubeId: string }
  | { kind: 'media'; url: string; isPlayable: boolean }
  | { kind: 'skipped'; reason: SkipReason }

type SkipReason = 'playlist_not_supported' | 'not_a_video_url' | 'blank'

const MEDIA_PATH = /\.(?:mp4|webm|m3u8)$/i
/** Paths of the clips that the gateway serves; excludes path traversal. */
const SITE_MEDIA = /^\/test-card\/[A-Za-z0-9._-]+\.(?:mp4|webm|m3u8)$/

const skipped = (reason: SkipReason): ParsedLine => ({ kind: 'skipped', reason })

/**
 * Parses one line as the URL of a video.
 *
 * A YouTube video is any URL that `parseYoutubeUrl` finds in the line, also with a title, a number or punctuation around it.
 * The URL may contain a playlist as well; a URL of a playlist alone is skipped. Media is an https URL of an mp4, webm or m3u8
 * file, or a clip of this site, and is skipped unless `allowMedia`. With `allowUnplayable`, any other http or https URL becomes
 * media that is not playable.
 */
export function parseVideoLine(line: string, allowMedia: boolean, allowUnplayable = false): ParsedLine {
  const text = line.trim()
  if (text === '') return skipped('blank')
  if (SITE_MEDIA.test(text))
    return allowMedia ? { kind: 'media', url: text, isPlayable: true } : skipped('not_a_video_url')
  const url = parseWebUrl(text)
  if (url === null) return skipped('not_a_video_url')
  const youtube = parseYoutubeUrl(url)
  if (youtube?.youtubeId !== undefined) return { kind: 'youtube', youtubeId: youtube.youtubeId }
  if (youtube?.hasPlaylist) return skipped('playlist_not_supported')
  const isMedia =
    allowMedia &&
    !youtube &&
    url.protocol === 'https:' &&
    url.username === '' &&
    MEDIA_PATH.test(url.pathname)
  if (isMedia) return { kind: 'media', url: url.href, isPlayable: true }
  const isKept = allowUnplayable && url.username === '' && url.password === ''
  return isKept ? { kind: 'media', url: url.href, isPlayable: false } : skipped('not_a_video_url')
}

/** The URL that the player embeds. */
export const embedUrl = (youtubeId: string): string => `https://www.youtube.com/embed/${youtubeId}`
/** The picture that YouTube has for every video. */
export const thumbnailUrl = (youtubeId: string): string => `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`

/** The title of a media file without metadata: its file name. */
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
