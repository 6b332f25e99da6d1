import { type AddVideosResult, UNSUPPORTED_URL, type Video } from '@looptide/contracts/http/videos'
import { toast } from '../../ui/toast.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { playlistIdOf } from './url-lines.ts'

export type Line = AddVideosResult['lines'][number]

/** Why a line was skipped (docs/product/admin.md §5). */
export const REASON_LABELS: Record<NonNullable<Line['reason']>, string> = {
  playlist_not_supported: 'Playlist URLs are not supported. Please use individual video URLs.',
  not_a_video_url:
    'Not the URL of a YouTube video (watch, youtu.be, embed, shorts or live) or an https link to an mp4, webm or m3u8 file.',
  blank: 'Blank line.',
}

/** The same reasons, to follow the number of skipped lines. */
const SUMMARY_REASONS: Record<NonNullable<Line['reason']>, string> = {
  playlist_not_supported: 'playlist URLs are not supported, please use individual video URLs.',
  not_a_video_url: 'not the URL of a playable video.',
  blank: 'blank line.',
}

/** Summarizes the lines that were not added, by reason; '' if all were added. */
export function skippedText(lines: readonly Pick<Line, 'result' | 'reason'>[]): string {
  const countOf = (code: Line['reason']) => lines.filter(({ reason }) => reason === code).length
  const reasons = Object.entries(SUMMARY_REASONS).map(([reason, text]) => ({
    text,
    count: countOf(reason as keyof typeof SUMMARY_REASONS),
  }))
  const known = lines.filter(({ result }) => result === 'duplicate').length
  return [
    ...reasons.filter(({ count }) => count > 0).map(({ text, count }) => `${count} skipped: ${text}`),
    ...(known > 0 ? [`${known} skipped: already in the library.`] : []),
  ].join(' ')
}

export const RESULT_LABELS: Record<Line['result'], string> = {
  added: '✓ Added',
  duplicate: '= Already in the library',
  skipped: '✕ Skipped',
}

/** The URLs that were skipped, in order. */
export const skippedUrls = ({ lines }: Pick<AddVideosResult, 'lines'>): string[] =>
  lines.flatMap(({ url, result }) => (result === 'skipped' ? [url] : []))

/** A hint about an added line; undefined for most lines. */
export function hintOf({ url, result, video }: Line): string | undefined {
  if (result === 'skipped') return undefined
  if (video?.unavailableReason === UNSUPPORTED_URL) {
    return 'Added, but no player supports this URL, so it is never on the air.'
  }
  if (playlistIdOf(url) !== null) {
    return 'Only this video was added. To add the whole playlist, use “Import a YouTube playlist...”.'
  }
  return undefined
}

/** Shows the result of adding videos as toasts (docs/product/admin.md §8). */
export function showAddResult({ added, lines }: AddVideosResult): void {
  const skipped = skippedText(lines)
  const isNothingValid = lines.every(({ result }) => result === 'skipped')
  if (added > 0) {
    toast({
      title: 'Videos added successfully',
      description: addedText(
        lines.flatMap(({ result, video }) => (result === 'added' && video ? [video] : [])),
      ),
      tone: 'success',
    })
  }
  if (isNothingValid) {
    toast({
      title: 'No valid videos to add',
      description: 'Please provide valid YouTube video URLs',
      tone: 'error',
    })
  }
  if (skipped) toast({ title: 'Some URLs were skipped', description: skipped, durationMs: 8_000 })
}

/** What was added, and whether YouTube's metadata follows: other URLs have none. */
export function addedText(videos: readonly Pick<Video, 'youtubeId'>[]): string {
  const hasMetadata = videos.some(({ youtubeId }) => youtubeId !== null)
  return `${videoCountText(videos.length)} added.${hasMetadata ? ' Metadata will follow.' : ''}`
}
