import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Mails that were counted in a row: when the last one (of a day the first one) was requested, and how many. */
export interface CountedMails {
  askedAt: Date
  streak: number
}

/** The counter of a mailbox (keyed digest) and slot, locked. Undefined when this call inserted it, as the first of its streak. */
export async function lockCounter(
  db: Db<Database>,
  { addressDigest, nowMs }: { addressDigest: Buffer; nowMs: number },
  slot: string,
): Promise<CountedMails | undefined> {
  const inserted = await db
    .insertInto('mailThrottle')
    .values({ addressDigest, slot, askedAt: new Date(nowMs), streak: 1 })
    .onConflict((conflict) => conflict.columns(['addressDigest', 'slot']).doNothing())
    .returning(sql<number>`1`.as('inserted'))
    .executeTakeFirst()
  if (inserted !== undefined) return undefined
  return db
    .selectFrom('mailThrottle')
    .select(['askedAt', 'streak'])
    .where('addressDigest', '=', addressDigest)
    .where('slot', '=', slot)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Replaces what a counter has counted. */
export async function writeCounter(
  db: Db<Database>,
  { addressDigest }: { addressDigest: Buffer },
  slot: string,
  counted: CountedMails,
): Promise<void> {
  await db
    .updateTable('mailThrottle')
    .set(counted)
    .where('addressDigest', '=', addressDigest)
    .where('slot', '=', slot)
    .execute()
}

/** Begins what {@link undoClaim} can undo within the transaction. */
export async function beginClaim(trx: Transaction<Database>): Promise<void> {
  await sql`savepoint mail_claim`.execute(trx)
}

/** Undoes what was written since {@link beginClaim}. */
export async function undoClaim(trx: Transaction<Database>): Promise<void> {
  await sql`rollback to savepoint mail_claim`.execute(trx)
}
