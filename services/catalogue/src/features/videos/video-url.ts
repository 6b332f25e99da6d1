import { readYoutubeAddress, toWebUrl } from '@looptide/contracts/youtube-address'

/** What one line of the add form is. `skipped` says why it can't be a video. */
export type ParsedLine =
  | { kind: 'youtube'; youtubeId: string }
  | { kind: 'media'; url: string }
  | { kind: 'skipped'; reason: SkipReason }

export type SkipReason = 'playlist_not_supported' | 'not_a_video_url' | 'blank'

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
  const url = toWebUrl(text)
  if (url === null) return skipped('not_a_video_url')
  const address = readYoutubeAddress(url)
  if (address?.namesPlaylist) return skipped('playlist_not_supported')
  if (address) {
    const { youtubeId } = address
    return youtubeId === undefined ? skipped('not_a_video_url') : { kind: 'youtube', youtubeId }
  }
  const isMedia =
    allowMedia && url.protocol === 'https:' && url.username === '' && MEDIA_PATH.test(url.pathname)
  return isMedia ? { kind: 'media', url: url.href } : skipped('not_a_video_url')
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
