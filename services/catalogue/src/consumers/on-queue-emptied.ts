import type { CatalogueTrx } from '../db/schema.ts'
import { makeUnansweredDue } from '../features/followed-lists/list-repository.ts'
import { makeAllRemindersDue } from '../features/metadata/reminder-repository.ts'

/**
 * Makes all metadata reminders and all unanswered checks of followed lists due, because the metadata worker may have lost
 * jobs or outcomes.
 */
export async function onQueueEmptied(trx: CatalogueTrx): Promise<void> {
  await makeAllRemindersDue(trx)
  await makeUnansweredDue(trx)
}
