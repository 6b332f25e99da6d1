import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration } from '@looptide/playhead/duration'
import { playedMs } from '@looptide/playhead/trim'
import type { VideoRow } from '../../db/schema.ts'

/** The API representation of a video. `review` is present until the video is accepted. */
export const presentVideo = (row: VideoRow): Video => ({
  id: row.id,
  title: row.title,
  artistName: row.artistName,
  description: row.description,
  genre: row.genre,
  category: row.category,
  duration: formatDuration(playedMs(row)),
  durationMs: row.durationMs,
  durationAssumed: row.durationAssumed,
  startAtMs: row.startAtMs,
  endAtMs: row.endAtMs,
  tags: row.tags,
  thumbnailUrl: row.thumbnailUrl,
  videoUrl: row.videoUrl,
  youtubeId: row.youtubeId,
  isPublic: row.isPublic,
  metadataStatus: row.metadataStatus,
  unavailableReason: row.unavailableReason,
  ...(row.reviewState === null ? {} : { review: { state: row.reviewState, reason: row.reviewReason } }),
  viewCount: row.viewCount,
  likeCount: row.likeCount,
  createdAt: row.createdAt.toISOString(),
})
