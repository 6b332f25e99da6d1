import { MAX_VIDEOS_PER_EVENT } from '@looptide/contracts/events'
import { MAX_URLS_PER_ADD, type Video } from '@looptide/contracts/http/videos'
import { MAX_EVENT_BYTES, type NewEvent } from '@looptide/service-kit/outbox'
import type { VideoRow } from '../../db/schema.ts'
import { presentVideo } from './present-video.ts'

/** Changes of more videos than this are published in bulk: an event for each would take the readers minutes. */
const MOST_SINGLE = 20
/** Bytes of the list in a bulk event, with room for what surrounds it. */
const MAX_LIST_BYTES = MAX_EVENT_BYTES - 1024

/** The catalogue's audit event. */
export const AUDIT = 'catalogue.audit.recorded.v1'
/** The home page shows something else. */
export const HOME_CHANGED = { type: 'catalogue.home.changed.v1', aggregateId: 'home', data: {} } as const

/** Rows that are new in the library. */
export function addedEvents(rows: readonly VideoRow[]): NewEvent[] {
  const videos = rows.map(presentVideo)
  return isBulk(rows)
    ? bulkEvents('catalogue.videos.added.v1', videos)
    : videos.map((video) => ({ type: 'catalogue.video.added.v1', aggregateId: video.id, data: { video } }))
}

/** Rows that changed. Of a video under review only moderators are notified: nobody else knows it. */
export function updatedEvents(rows: readonly VideoRow[]): NewEvent[] {
  const { accepted, reviewed } = byReview(rows)
  const videos = accepted.map(presentVideo)
  return isBulk(accepted)
    ? [...bulkEvents('catalogue.videos.updated.v1', videos), ...reviewed]
    : [
        ...videos.map(
          (video): NewEvent => ({
            type: 'catalogue.video.updated.v1',
            aggregateId: video.id,
            data: { video },
          }),
        ),
        ...reviewed,
      ]
}

/** Rows that were deleted; as in {@link updatedEvents}. */
export function removedEvents(rows: readonly VideoRow[]): NewEvent[] {
  const { accepted, reviewed } = byReview(rows)
  const ids = accepted.map((row) => row.id)
  const removed = isBulk(accepted)
    ? packed(ids).map(
        (videoIds): NewEvent => ({
          type: 'catalogue.videos.removed.v1',
          aggregateId: videoIds[0] ?? '',
          data: { videoIds },
        }),
      )
    : ids.map(
        (videoId): NewEvent => ({
          type: 'catalogue.video.removed.v1',
          aggregateId: videoId,
          data: { videoId },
        }),
      )
  return [...removed, ...reviewed]
}

const isBulk = (rows: readonly VideoRow[]): boolean => rows.length > MOST_SINGLE

function byReview(rows: readonly VideoRow[]): { accepted: VideoRow[]; reviewed: NewEvent[] } {
  return {
    accepted: rows.filter((row) => row.reviewState === null),
    reviewed: rows.flatMap((row) => (row.reviewState === null ? [] : [submissionChanged(row.id)])),
  }
}

const bulkEvents = (
  type: 'catalogue.videos.added.v1' | 'catalogue.videos.updated.v1',
  all: readonly Video[],
): NewEvent[] =>
  packed(all).map((videos): NewEvent => ({ type, aggregateId: videos[0]?.id ?? '', data: { videos } }))

/** Lists that each fit into one event, in the same order. */
function packed<T>(items: readonly T[]): T[][] {
  const lists: T[][] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    const last = lists.at(-1)
    if (last === undefined || last.length >= MAX_VIDEOS_PER_EVENT || bytes + size > MAX_LIST_BYTES) {
      lists.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return lists
}

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
