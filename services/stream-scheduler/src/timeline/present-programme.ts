import type { ProgrammeReason, ProgrammeVideo } from '@looptide/contracts/http/channels'
import { formatDuration } from '@looptide/playhead/duration'
import { playedRange } from '@looptide/playhead/trim'
import type { StoredReason, VideoRow } from '../db/schema.ts'

/** Descriptions are shortened to this many characters, since a guide has hundreds of programmes. */
const MAX_DESCRIPTION = 1000

/** Texts for fields without a value. They are fixed by the product description. */
const UNKNOWN = {
  title: 'Unknown Title',
  artistName: 'Unknown Artist',
  genre: 'Music',
  description: 'Live stream content',
} as const

/** The video of a programme, as sent to clients. */
export function presentVideo(row: VideoRow): ProgrammeVideo {
  const { fromMs, toMs } = playedRange(row)
  return {
    id: row.id,
    title: row.title || UNKNOWN.title,
    artistName: row.artistName || UNKNOWN.artistName,
    genre: row.genre || UNKNOWN.genre,
    description: (row.description || UNKNOWN.description).slice(0, MAX_DESCRIPTION).toWellFormed(),
    duration: formatDuration(toMs - fromMs),
    durationMs: toMs - fromMs,
    startAtMs: fromMs,
    mediaDurationMs: row.durationMs,
    thumbnailUrl: row.thumbnailUrl ?? thumbnailOf(row.youtubeId),
    youtubeId: row.youtubeId,
    mediaUrl: row.youtubeId === null ? row.videoUrl : null,
  }
}

/** YouTube's thumbnail of a video; null without a YouTube id. */
export function thumbnailOf(youtubeId: string | null): string | null {
  return youtubeId === null ? null : `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`
}

/** The source of a programme, as sent to clients; null without a schedule. */
export function presentReason(reason: StoredReason | null): ProgrammeReason | null {
  if (reason === null || reason.source === null) return null
  const { source, number, count, request, again } = reason
  return { source, number, count, ...(request && { requestId: request.id }), ...(again && { again }) }
}
