import { MAX_URLS_PER_ADD } from '@looptide/contracts/http/videos'
import type { VideoRow } from '../../db/schema.ts'
import { presentVideo } from './present-video.ts'

/** The catalogue's audit event. */
export const AUDIT = 'catalogue.audit.recorded.v1'
/** The home page shows something else. */
export const HOME_CHANGED = { type: 'catalogue.home.changed.v1', aggregateId: 'home', data: {} } as const

/** Rows that are new in the library. */
export const addedEvents = (rows: readonly VideoRow[]) =>
  rows.map((row) => ({
    type: 'catalogue.video.added.v1' as const,
    aggregateId: row.id,
    data: { video: presentVideo(row) },
  }))

/** Rows that changed. Of a video under review only moderators are notified: nobody else knows it. */
export const updatedEvents = (rows: readonly VideoRow[]) =>
  rows.map((row) =>
    row.reviewState === null
      ? {
          type: 'catalogue.video.updated.v1' as const,
          aggregateId: row.id,
          data: { video: presentVideo(row) },
        }
      : submissionChanged(row.id),
  )

/** Rows that were deleted; as in {@link updatedEvents}. */
export const removedEvents = (rows: readonly VideoRow[]) =>
  rows.map(({ id, reviewState }) =>
    reviewState === null
      ? { type: 'catalogue.video.removed.v1' as const, aggregateId: id, data: { videoId: id } }
      : submissionChanged(id),
  )

/** A video under review is new, another or gone. */
export const submissionChanged = (videoId: string) => ({
  type: 'catalogue.submission.changed.v1' as const,
  aggregateId: videoId,
  data: { videoId },
})

/** Ask the metadata worker about those of `rows` that are on YouTube. */
export function metadataRequests(rows: readonly VideoRow[], force: boolean) {
  const youtubeIds = rows.flatMap((row) => row.youtubeId ?? [])
  const chunks = Array.from({ length: Math.ceil(youtubeIds.length / MAX_URLS_PER_ADD) }, (_, n) =>
    youtubeIds.slice(n * MAX_URLS_PER_ADD, (n + 1) * MAX_URLS_PER_ADD),
  )
  return chunks.map((chunk) => ({
    type: 'catalogue.metadata.requested.v1' as const,
    aggregateId: chunk[0] ?? '',
    data: { youtubeIds: chunk, force },
  }))
}
