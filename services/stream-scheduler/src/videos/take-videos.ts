import type { Video } from '@looptide/contracts/http/videos'
import type { Trx } from '../db/schema.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { applyVideos, removeVideos, restoreItems } from './video-repository.ts'

/** Takes over new or changed videos; channels that show one that is another now are marked to be rebuilt. */
export async function takeVideos(trx: Trx, videos: readonly Video[], eventVersion: number): Promise<void> {
  await markStaleFor(trx, ...(await applyVideos(trx, videos, eventVersion)))
}

/** As {@link takeVideos}, of videos that are new or restored: a restored one returns to the playlists it was in. */
export async function takeAddedVideos(
  trx: Trx,
  videos: readonly Video[],
  eventVersion: number,
): Promise<void> {
  const changed = await applyVideos(trx, videos, eventVersion)
  await restoreItems(
    trx,
    videos.map(({ id }) => id),
  )
  await markStaleFor(trx, ...changed)
}

/** Removes videos that the catalogue has deleted; channels that play one are marked to be rebuilt. */
export async function dropVideos(trx: Trx, videoIds: readonly string[], eventVersion: number): Promise<void> {
  await markStaleFor(trx, ...videoIds)
  await removeVideos(trx, videoIds, eventVersion)
}
