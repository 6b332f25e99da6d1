import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { applyMetadata } from '../features/metadata/apply-metadata.ts'

/** Writes metadata from YouTube to the video's row and publishes an update if it changed. */
export const onVideoResolved = (
  trx: CatalogueTrx,
  envelope: Envelope<'metadata.video.resolved.v1'>,
): Promise<void> => applyMetadata(trx, [envelope.data], envelope)
