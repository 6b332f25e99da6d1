import type { CatalogueTrx } from '../db/schema.ts'
import { makeAllRemindersDue } from '../features/metadata/reminder-repository.ts'

/** Makes all metadata reminders due, because the metadata worker may have lost jobs or outcomes. */
export async function onQueueEmptied(trx: CatalogueTrx): Promise<void> {
  await makeAllRemindersDue(trx)
}
