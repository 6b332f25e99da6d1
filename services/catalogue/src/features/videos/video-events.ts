import type { Video } from '@looptide/contracts/http/videos'
import { splitIntoLists } from '@looptide/service-kit/events/event-lists'
import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { VideoRow } from '../../db/schema.ts'
import { presentVideo } from './present-video.ts'

/** Changes of more videos than this are published as bulk events: consumers would need minutes for single ones. */
const MAX_SINGLE_EVENTS = 20

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

/** Whether these are so many videos that they are published together. */
export const isBulk = (rows: readonly VideoRow[]): boolean => rows.length > MAX_SINGLE_EVENTS

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

/** Event: a video under review was added, changed or removed. */
export const submissionChanged = (videoId: string) => ({
  type: 'catalogue.submission.changed.v1' as const,
  aggregateId: videoId,
  data: { videoId },
})

/** Event: a user submitted a video for review. */
export const submissionReceived = (videoId: string) => ({
  type: 'catalogue.submission.received.v1' as const,
  aggregateId: videoId,
  data: { videoId },
})

/** Events that request the metadata of the YouTube videos in `rows`. */
export const metadataRequests = (rows: readonly VideoRow[], force: boolean) =>
  splitIntoLists(rows.flatMap((row) => row.youtubeId ?? [])).map((youtubeIds) => ({
    type: 'catalogue.metadata.requested.v1' as const,
    aggregateId: youtubeIds[0] ?? '',
    data: { youtubeIds, force },
  }))
