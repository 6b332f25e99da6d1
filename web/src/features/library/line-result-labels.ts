import { type AddVideosResult, UNSUPPORTED_URL } from '@looptide/contracts/http/videos'
import { playlistIdOf } from './playlist-id.ts'

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
