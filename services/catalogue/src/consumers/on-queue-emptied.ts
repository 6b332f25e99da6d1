import type { CatalogueTrx } from '../db/schema.ts'
import { remindNow } from '../features/metadata/reminder-repository.ts'

/** The metadata worker may have lost jobs or outcomes: all that still wait are requested again at the next pass. */
export async function onQueueEmptied(trx: CatalogueTrx): Promise<void> {
  await remindNow(trx)
}
