import type { Envelope } from '@looptide/contracts/events'
import { appendEvents, type NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, FollowedListRow } from '../../db/schema.ts'
import { cleanOrNull, TEXT_LIMITS } from '../videos/clean-text.ts'
import { addItems } from './add-items.ts'
import {
  countNewItems,
  deleteOldItems,
  lockList,
  patchList,
  storeItems,
  storeSuccess,
} from './list-repository.ts'

/**
 * Adds the new items of one part of a reading; the last part ends the check. A repeated reading changes nothing, because
 * items that were seen are not new. Readings of a list that is paused or no longer followed are ignored.
 */
export async function applyReading(
  trx: CatalogueTrx,
  envelope: Envelope<'metadata.playlist.read.v1'>,
  checkMinutes: number,
): Promise<void> {
  const reading = envelope.data
  const locked = await lockList(trx, reading.listId)
  if (locked === undefined || locked.isPaused) return
  const list = await patchList(trx, locked.id, {
    playlistId: reading.playlistId,
    title: cleanOrNull(reading.title, TEXT_LIMITS.title) ?? locked.title,
    itemCount: reading.itemCount ?? locked.itemCount,
  })
  const newIds = await storeItems(trx, list.id, reading.youtubeIds)
  await appendEvents(trx, await addNew(trx, list, newIds), envelope)
  if (!reading.isLast) return
  await storeSuccess(trx, list, reading, checkMinutes)
  await deleteOldItems(trx, list.id)
}

async function addNew(
  trx: CatalogueTrx,
  list: FollowedListRow,
  newIds: readonly string[],
): Promise<NewEvent[]> {
  const isFirstReading = list.fullyReadAt === null
  if (newIds.length === 0 || (list.onlyNew && isFirstReading)) return []
  await countNewItems(trx, list, newIds.length)
  return addItems(trx, list, newIds)
}
