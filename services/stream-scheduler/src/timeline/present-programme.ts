import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import { formatDuration } from '@looptide/playhead/duration'
import type { VideoRow } from '../db/schema.ts'

/** Guides carry hundreds of programmes: descriptions are cut to this many characters. */
const MOST_DESCRIPTION = 1000

/** What is shown where the catalogue knows nothing (docs/product/viewer.md §3, schedule program item). */
const UNKNOWN = {
  title: 'Unknown Title',
  artistName: 'Unknown Artist',
  genre: 'Music',
  description: 'Live stream content',
} as const

/** A video as a programme shows it. */
export function presentVideo(row: VideoRow): ProgrammeVideo {
  return {
    id: row.id,
    title: row.title || UNKNOWN.title,
    artistName: row.artistName || UNKNOWN.artistName,
    genre: row.genre || UNKNOWN.genre,
    description: (row.description || UNKNOWN.description).slice(0, MOST_DESCRIPTION).toWellFormed(),
    duration: formatDuration(row.durationMs),
    durationMs: row.durationMs,
    thumbnailUrl: row.thumbnailUrl ?? thumbnailOf(row.youtubeId),
    youtubeId: row.youtubeId,
    mediaUrl: row.youtubeId === null ? row.videoUrl : null,
  }
}

/** The picture that YouTube has of a video (docs/product/viewer.md §3). */
export function thumbnailOf(youtubeId: string | null): string | null {
  return youtubeId === null ? null : `https://i.ytimg.com/vi/${youtubeId}/hqdefault.jpg`
}
