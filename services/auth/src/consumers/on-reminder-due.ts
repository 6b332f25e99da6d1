import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { ReminderMails } from '../features/mail/reminder-mails.ts'
import { lockByIds } from '../features/user/user-repository.ts'

/** Mails a reminder to its account, unless it is sent in another way. */
export const onReminderDue =
  (mails: ReminderMails) =>
  async (trx: Transaction<Database>, { data }: Envelope<'audience.reminder.due.v1'>): Promise<void> => {
    if (data.via !== 'mail') return
    const [user] = await lockByIds(trx, [data.userId])
    if (user !== undefined) await mails.add(trx, user, data)
  }
