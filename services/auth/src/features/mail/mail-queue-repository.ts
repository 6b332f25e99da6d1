import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, MailSlot } from '../../db/schema.ts'

/** A mail that is to be sent. */
export type QueuedMail = Pick<
  Selectable<Database['mailOutbox']>,
  'id' | 'userId' | 'slot' | 'sealed' | 'attempts'
>

/** Maximum number of mails that one call deletes. */
const MAX_DELETED = 1000

/** Queues a mail. */
export async function insertMail(
  trx: Transaction<Database>,
  row: Insertable<Database['mailOutbox']>,
): Promise<void> {
  await trx.insertInto('mailOutbox').values(row).execute()
}

/** Deletes the unsent mail of a user and slot. */
export async function deleteMailInSlot(
  trx: Transaction<Database>,
  userId: string | null,
  slot: MailSlot,
): Promise<void> {
  await trx.deleteFrom('mailOutbox').where('userId', '=', userId).where('slot', '=', slot).execute()
}

/** Deletes mails that expired before `now`, at most 1000. Returns their number. */
export async function deleteExpiredMails(db: Db<Database>, now: Date): Promise<number> {
  const { rows } = await sql`delete from mail_outbox where id = any(array
      (select id from mail_outbox where expires_at <= ${now} limit ${MAX_DELETED} for update skip locked))
      returning id`.execute(db)
  return rows.length
}

/** Number of queued mails, counted up to `max`. */
export async function countMails(db: Db<Database>, max: number): Promise<number> {
  const counted = await sql<{ queued: number }>`select count(*)::int as queued
      from (select 1 from mail_outbox limit ${max}) as queue`.execute(db)
  return counted.rows[0]?.queued ?? 0
}

/** Takes up to `limit` mails that are due. Other processes leave them for `leaseMs`. */
export async function takeDueMails(
  db: Kysely<Database>,
  { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
): Promise<QueuedMail[]> {
  const due = sql<{ id: number }>`
      select id from mail_outbox
      where next_attempt_at <= ${new Date(nowMs)} and expires_at > ${new Date(nowMs)}
      order by next_attempt_at limit ${limit} for update skip locked`
  return db.transaction().execute(async (trx) => {
    const ids = (await due.execute(trx)).rows.map((row) => row.id)
    if (ids.length === 0) return []
    return trx
      .updateTable('mailOutbox')
      .set({ nextAttemptAt: new Date(nowMs + leaseMs) })
      .where('id', 'in', ids)
      .returning(['id', 'userId', 'slot', 'sealed', 'attempts'])
      .execute()
  })
}

/** Stores that a mail was not sent, and when it is tried again. */
export async function postponeMail(
  db: Db<Database>,
  id: number,
  next: { attempts: number; nextAttemptAt: Date },
): Promise<void> {
  await db.updateTable('mailOutbox').set(next).where('id', '=', id).execute()
}

/** Deletes a mail that was sent, or will never be. */
export async function deleteMail(db: Db<Database>, id: number): Promise<void> {
  await db.deleteFrom('mailOutbox').where('id', '=', id).execute()
}
