import { parseWebUrl, parseYoutubeUrl } from '@looptide/contracts/youtube-url'

/** What one line of the add form is. `skipped` says why it can't be a video. */
export type ParsedLine =
  | { kind: 'youtube'; youtubeId: string }
  | { kind: 'media'; url: string; isPlayable: boolean }
  | { kind: 'skipped'; reason: SkipReason }

export type SkipReason = 'playlist_not_supported' | 'not_a_video_url' | 'blank'

const MEDIA_PATH = /\.(?:mp4|webm|m3u8)$/i
/** Clips that the gateway serves itself, by a path without tricks. */
const SITE_MEDIA = /^\/test-card\/[A-Za-z0-9._-]+\.(?:mp4|webm|m3u8)$/

const skipped = (reason: SkipReason): ParsedLine => ({ kind: 'skipped', reason })

/**
 * Reads one line (admin specification §5): a watch address with `v`, a short youtu.be link, an embed,
 * shorts or live address, with or without its scheme; also one that names a playlist besides the video. An address that
 * names only a playlist is skipped. Plain media is an https address of an mp4, webm or m3u8 file, or a clip of
 * this site; it counts only where `allowMedia`. With `keepOthers` any other web address is kept as well, which no player
 * plays.
 */
export function parseVideoLine(line: string, allowMedia: boolean, keepOthers = false): ParsedLine {
  const text = line.trim()
  if (text === '') return skipped('blank')
  if (SITE_MEDIA.test(text))
    return allowMedia ? { kind: 'media', url: text, isPlayable: true } : skipped('not_a_video_url')
  const url = parseWebUrl(text)
  if (url === null) return skipped('not_a_video_url')
  const address = parseYoutubeUrl(url)
  if (address?.youtubeId !== undefined) return { kind: 'youtube', youtubeId: address.youtubeId }
  if (address?.hasPlaylist) return skipped('playlist_not_supported')
  const isMedia =
    allowMedia &&
    !address &&
    url.protocol === 'https:' &&
    url.username === '' &&
    MEDIA_PATH.test(url.pathname)
  if (isMedia) return { kind: 'media', url: url.href, isPlayable: true }
  const isKept = keepOthers && url.username === '' && url.password === ''
  return isKept ? { kind: 'media', url: url.href, isPlayable: false } : skipped('not_a_video_url')
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
