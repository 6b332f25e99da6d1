import type { Video } from '@looptide/contracts/http/videos'
import type { Trx } from '../db/schema.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { applyVideos, removeVideos } from './video-repository.ts'

/** Takes over new or changed videos; channels that show one that is another now are marked to be rebuilt. */
export async function takeVideos(trx: Trx, videos: readonly Video[], eventVersion: number): Promise<void> {
  await markStaleFor(trx, ...(await applyVideos(trx, videos, eventVersion)))
}

/** Removes videos that the catalogue has deleted; channels that play one are marked to be rebuilt. */
export async function dropVideos(trx: Trx, videoIds: readonly string[], eventVersion: number): Promise<void> {
  await markStaleFor(trx, ...videoIds)
  await removeVideos(trx, videoIds, eventVersion)
}
