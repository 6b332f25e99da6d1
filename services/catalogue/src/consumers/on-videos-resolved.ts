import type { Envelope } from '@looptide/contracts/events'
import { markParts } from '@looptide/service-kit/events/inbox'
import { inboxConsumerName } from '@looptide/service-kit/events/stream-consumer'
import type { CatalogueTrx } from '../db/schema.ts'
import { applyMetadata } from '../features/metadata/apply-metadata.ts'

/** Like `onVideoResolved`, for the videos of one event. Those that came in another event before are left as they are. */
export async function onVideosResolved(
  trx: CatalogueTrx,
  envelope: Envelope<'metadata.videos.resolved.v1'>,
): Promise<void> {
  const { videos } = envelope.data
  const ids = videos.map(({ eventId }) => eventId)
  const unseen = await markParts(trx, inboxConsumerName('catalogue', envelope.type), ids)
  const facts = videos.flatMap(({ eventId, video }) => (unseen.has(eventId) ? [video] : []))
  await applyMetadata(trx, facts, envelope)
}
