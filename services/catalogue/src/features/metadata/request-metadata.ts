import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, VideoRow } from '../../db/schema.ts'
import { isBulk, metadataRequests } from '../videos/video-events.ts'
import { deferRequests, isImporting } from './reminder-repository.ts'

/**
 * The events that request the metadata of videos that this transaction has added. Those of many videos that continue an
 * import are left to the reminders, which send them when it has ended.
 */
export async function requestMetadata(trx: CatalogueTrx, added: readonly VideoRow[]): Promise<NewEvent[]> {
  if (!isBulk(added) || !(await isImporting(trx))) return metadataRequests(added, false)
  await deferRequests(
    trx,
    added.flatMap(({ id, youtubeId }) => (youtubeId === null ? [] : [id])),
  )
  return []
}
