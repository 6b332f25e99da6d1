import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { applyVideo } from '../videos/video-repository.ts'

/**
 * A video has another title or length, was made private, or YouTube will not show it any more: channels that play
 * it are rebuilt, with it or without it.
 */
export async function onVideoUpdated(trx: Trx, event: Envelope<'catalogue.video.updated.v1'>): Promise<void> {
  const { video } = event.data
  const { changed } = await applyVideo(trx, video, event.aggregateVersion)
  if (changed) await markStaleFor(trx, video.id)
}
