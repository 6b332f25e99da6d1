import { MAX_VIDEOS_PER_EVENT } from '@looptide/contracts/events'
import { MAX_URLS_PER_ADD, type Video } from '@looptide/contracts/http/videos'
import { MAX_EVENT_BYTES, type NewEvent } from '@looptide/service-kit/events/outbox'
import type { VideoRow } from '../../db/schema.ts'
import { presentVideo } from './present-video.ts'

/** Changes of more videos than this are published as bulk events: consumers would need minutes for single ones. */
const MAX_SINGLE_EVENTS = 20
/** Maximum size of the list in a bulk event, in bytes. The rest is for the envelope. */
const MAX_LIST_BYTES = MAX_EVENT_BYTES - 1024

/** Type of the catalogue's audit event. */
export const AUDIT = 'catalogue.audit.recorded.v1'
/** Event: the content of the home page has changed. */
export const HOME_CHANGED = { type: 'catalogue.home.changed.v1', aggregateId: 'home', data: {} } as const

/** Events for videos added to the library. */
export function addedEvents(rows: readonly VideoRow[]): NewEvent[] {
  const videos = rows.map(presentVideo)
  return isBulk(rows)
    ? bulkEvents('catalogue.videos.added.v1', videos)
    : videos.map((video) => ({ type: 'catalogue.video.added.v1', aggregateId: video.id, data: { video } }))
}

/** Events for changed videos. Changes of a video under review are published to moderators only. */
export function updatedEvents(rows: readonly VideoRow[]): NewEvent[] {
  const { accepted, submissionEvents } = splitByReview(rows)
  const videos = accepted.map(presentVideo)
  return isBulk(accepted)
    ? [...bulkEvents('catalogue.videos.updated.v1', videos), ...submissionEvents]
    : [
        ...videos.map(
          (video): NewEvent => ({
            type: 'catalogue.video.updated.v1',
            aggregateId: video.id,
            data: { video },
          }),
        ),
        ...submissionEvents,
      ]
}

/** Events for deleted videos, with the same rule for videos under review as {@link updatedEvents}. */
export function removedEvents(rows: readonly VideoRow[]): NewEvent[] {
  const { accepted, submissionEvents } = splitByReview(rows)
  const ids = accepted.map((row) => row.id)
  const removed = isBulk(accepted)
    ? splitIntoLists(ids).map(
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
  return [...removed, ...submissionEvents]
}

const isBulk = (rows: readonly VideoRow[]): boolean => rows.length > MAX_SINGLE_EVENTS

function splitByReview(rows: readonly VideoRow[]): { accepted: VideoRow[]; submissionEvents: NewEvent[] } {
  return {
    accepted: rows.filter((row) => row.reviewState === null),
    submissionEvents: rows.flatMap((row) => (row.reviewState === null ? [] : [submissionChanged(row.id)])),
  }
}

const bulkEvents = (
  type: 'catalogue.videos.added.v1' | 'catalogue.videos.updated.v1',
  all: readonly Video[],
): NewEvent[] =>
  splitIntoLists(all).map(
    (videos): NewEvent => ({ type, aggregateId: videos[0]?.id ?? '', data: { videos } }),
  )

/** Splits `items` into lists that each fit into one event, in the same order. */
function splitIntoLists<T>(items: readonly T[]): T[][] {
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

/** Event: a video under review was added, changed or removed. */
export const submissionChanged = (videoId: string) => ({
  type: 'catalogue.submission.changed.v1' as const,
  aggregateId: videoId,
  data: { videoId },
})

/** Events that request the metadata of the YouTube videos in `rows`. */
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
