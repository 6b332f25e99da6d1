import type { AddVideosResult } from '@looptide/contracts/http/videos'

export type Line = AddVideosResult['lines'][number]

/** Why a line was not added, in words (admin specification §5). */
export const REASONS: Record<NonNullable<Line['reason']>, string> = {
  playlist_not_supported: 'Playlist URLs are not supported. Please use individual video URLs.',
  not_a_video_url: 'This is not the URL of a video.',
  blank: 'The line is blank.',
}

export const VERDICTS: Record<Line['verdict'], string> = {
  added: '✓ Added',
  duplicate: '= Already in the library',
  skipped: '✕ Skipped',
}
