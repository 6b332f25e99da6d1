import { type AddVideosResult, UNSUPPORTED_URL } from '@looptide/contracts/http/videos'
import { playlistIdOf } from './playlist-id.ts'

export type Line = AddVideosResult['lines'][number]

/** Why a line was not added, in words (admin specification §5). */
export const REASONS: Record<NonNullable<Line['reason']>, string> = {
  playlist_not_supported: 'Playlist URLs are not supported. Please use individual video URLs.',
  not_a_video_url:
    'This is neither the URL of a YouTube video (watch, youtu.be, embed, shorts or live) nor an https address of an mp4, webm or m3u8 file.',
  blank: 'The line is blank.',
}

/** The same of a number of lines. */
const SUMS: Record<NonNullable<Line['reason']>, (count: number) => string> = {
  playlist_not_supported: (count) =>
    `${count} × playlist: playlist URLs are not supported, please use individual video URLs.`,
  not_a_video_url: (count) => `${count} × not the URL of a video that can be played.`,
  blank: (count) => `${count} × blank.`,
}

/** What was not added of these lines and why, in a few sentences; '' when all were. */
export function skippedText(lines: readonly Pick<Line, 'result' | 'reason'>[]): string {
  const countOf = (wanted: Line['reason']) => lines.filter(({ reason }) => reason === wanted).length
  const reasons = Object.entries(SUMS).map(([reason, text]) => ({
    text,
    count: countOf(reason as keyof typeof SUMS),
  }))
  const known = lines.filter(({ result }) => result === 'duplicate').length
  return [
    ...reasons.filter(({ count }) => count > 0).map(({ text, count }) => text(count)),
    ...(known > 0 ? [`${known} × already in the library.`] : []),
  ].join(' ')
}

export const VERDICTS: Record<Line['result'], string> = {
  added: '✓ Added',
  duplicate: '= Already in the library',
  skipped: '✕ Skipped',
}

/** The addresses that were refused, in their order. */
export const refusedLines = ({ lines }: Pick<AddVideosResult, 'lines'>): string[] =>
  lines.flatMap(({ url, result }) => (result === 'skipped' ? [url] : []))

/** What an admin should know about a line that was accepted; undefined for most. */
export function hintOf({ url, result, video }: Line): string | undefined {
  if (result === 'skipped') return undefined
  if (video?.unavailableReason === UNSUPPORTED_URL) {
    return 'Kept as it is: no player plays this address, and it is never on the air.'
  }
  if (playlistIdOf(url) !== null) {
    return 'Only this video was added. Its playlist can be imported with “Import a YouTube playlist...”.'
  }
  return undefined
}
