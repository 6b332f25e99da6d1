import type { PublishedVideo } from '@looptide/contracts/events/catalogue'
import type { Trx } from '../db/schema.ts'
import { markChannelsStale } from '../timeline/stale-repository.ts'
import { removeVideos, restoreItems, upsertVideos } from './video-repository.ts'

/** Applies changed videos and marks the channels stale whose timelines they affect. */
export async function applyUpdatedVideos(
  trx: Trx,
  videos: readonly PublishedVideo[],
  eventVersion: number,
): Promise<void> {
  await markChannelsStale(trx, ...(await upsertVideos(trx, videos, eventVersion)))
}

/** Like {@link applyUpdatedVideos} for new and restored videos. A restored video returns to its playlists. */
export async function applyAddedVideos(
  trx: Trx,
  videos: readonly PublishedVideo[],
  eventVersion: number,
): Promise<void> {
  const changed = await upsertVideos(trx, videos, eventVersion)
  await restoreItems(
    trx,
    videos.map(({ id }) => id),
  )
  await markChannelsStale(trx, ...changed)
}

/** Removes videos that the catalogue has deleted, and marks the channels stale that play them. */
export async function applyRemovedVideos(
  trx: Trx,
  videoIds: readonly string[],
  eventVersion: number,
): Promise<void> {
  await markChannelsStale(trx, ...videoIds)
  await removeVideos(trx, videoIds, eventVersion)
}
