import type { PublishedVideo } from '@looptide/contracts/events/catalogue'
import { playedMs } from '@looptide/playhead/trim'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { refuseWaiting, updateVideos } from './request-repository.ts'
import { deleteVotesOf } from './vote-repository.ts'

/** Requests that are refused in one statement. */
const BATCH = 1000

const REASONS = {
  deleted: 'This video was deleted.',
  private: 'This video is not in the public library any more.',
  unavailable: 'This video is not available any more.',
  notPlayable: 'This video cannot be played any more.',
} as const

/** The time of a change, and the event that caused it. */
interface Change {
  nowMs: number
  cause: Cause
}

/** Refuses the waiting requests of deleted videos. */
export const applyRemovedVideos = (
  trx: Transaction<Database>,
  videoIds: readonly string[],
  change: Change,
): Promise<void> => refuseAll(trx, { by: 'videoId', ids: videoIds }, REASONS.deleted, change)

/**
 * Refuses these requests, as far as they wait: the scheduler cannot play their videos any more. Of a video that was deleted
 * between the check of a request and its storage, no event comes later.
 */
export const refuseNotPlayable = (
  trx: Transaction<Database>,
  requestIds: readonly string[],
  change: Change,
): Promise<void> => refuseAll(trx, { by: 'id', ids: requestIds }, REASONS.notPlayable, change)

/** Applies changed videos to waiting requests: refuses those of videos that can be requested no more, updates the others. */
export async function applyUpdatedVideos(
  trx: Transaction<Database>,
  videos: readonly PublishedVideo[],
  version: number,
  change: Change,
): Promise<void> {
  const byEnd = Map.groupBy(videos, endOf)
  for (const end of ['private', 'unavailable'] as const) {
    const ids = (byEnd.get(end) ?? []).map(({ id }) => id)
    await refuseAll(trx, { by: 'videoId', ids }, REASONS[end], change)
  }
  const changed = (byEnd.get(null) ?? []).map((video) => ({
    id: video.id,
    title: video.title,
    artistName: video.artistName,
    thumbnailUrl: video.thumbnailUrl,
    durationMs: playedMs({ startAtMs: 0, endAtMs: null, ...video }),
  }))
  if (changed.length > 0) await markQueuesChanged(trx, await updateVideos(trx, changed, version))
}

/** Why a video cannot be requested any more; null if it can. */
function endOf({ isPublic, metadataStatus }: PublishedVideo): 'private' | 'unavailable' | null {
  if (!isPublic) return 'private'
  return metadataStatus === 'unavailable' ? 'unavailable' : null
}

async function refuseAll(
  trx: Transaction<Database>,
  which: Parameters<typeof refuseWaiting>[1],
  reason: string,
  { nowMs, cause }: Change,
): Promise<void> {
  if (which.ids.length === 0) return
  for (;;) {
    const refused = await refuseWaiting(trx, which, { reason, finishedAt: new Date(nowMs), limit: BATCH })
    await deleteVotesOf(
      trx,
      refused.map(({ id }) => id),
    )
    await markQueuesChanged(trx, [...new Set(refused.map(({ channelId }) => channelId))])
    const changes = refused.map(({ id, channelId }) => ({
      type: 'audience.request.changed.v1' as const,
      aggregateId: channelId,
      data: { channelId, requestId: id, state: 'refused' as const },
    }))
    await appendEvents(trx, changes, cause)
    if (refused.length < BATCH) return
  }
}
