import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { applyVideo } from '../videos/video-repository.ts'

/** A new video; channels that play it (the default one may) are rebuilt. */
export async function onVideoAdded(trx: Trx, event: Envelope<'catalogue.video.added.v1'>): Promise<void> {
  const { video } = event.data
  const { changed } = await applyVideo(trx, video, event.aggregateVersion)
  if (changed) await markStaleFor(trx, video.id)
}
