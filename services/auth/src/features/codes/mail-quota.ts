import type { Db } from '@looptide/service-kit/db'
import { sql } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'

/** Least time between two mails to one address and slot, divided by the rate limit factor. It doubles each time. */
export const MAIL_INTERVAL_MS = 60_000
const MAX_INTERVAL_MS = 4 * 3_600_000
/** After this long without a mail the spacing begins again at {@link MAIL_INTERVAL_MS}. Also the length of a quota's day. */
export const QUIET_MS = 86_400_000
/** Mails to one address in a day, of all slots together, multiplied by the rate limit factor. */
const MAILS_PER_DAY = 10
/** The key of the day's count, beside those of the slots. */
const DAY = 'day'

export interface MailRequest {
  addressDigest: Buffer
  slot: string
  nowMs: number
  factor: number
}

/** Milliseconds to wait after the `streak`th mail in a row. */
export const intervalAfter = (streak: number, factor: number): number =>
  Math.min(MAX_INTERVAL_MS, MAIL_INTERVAL_MS * 2 ** (Math.max(1, streak) - 1)) / factor

/**
 * Counts a mail to an address, known or not; answers 0, or the milliseconds after which one may be requested again. What
 * was refused does not count if the caller's transaction is rolled back, as it must be.
 */
export async function claimMail(db: Db<AuthDatabase>, request: MailRequest): Promise<number> {
  return (await claimSlot(db, request)) || (await claimDay(db, request))
}

/** The spacing of one slot alone, without the day's quota; answers like {@link claimMail}. */
export async function claimSlot(
  db: Db<AuthDatabase>,
  { addressDigest, slot, nowMs, factor }: MailRequest,
): Promise<number> {
  const known = await lockRow(db, addressDigest, slot, nowMs)
  if (known === undefined) return 0
  const sinceMs = nowMs - known.askedAt.getTime()
  const waitMs = intervalAfter(known.streak, factor) - sinceMs
  if (waitMs > 0) return waitMs
  await write(db, addressDigest, slot, nowMs, sinceMs >= QUIET_MS ? 1 : known.streak + 1)
  return 0
}

async function claimDay(
  db: Db<AuthDatabase>,
  { addressDigest, nowMs, factor }: MailRequest,
): Promise<number> {
  const known = await lockRow(db, addressDigest, DAY, nowMs)
  if (known === undefined) return 0
  const startMs = known.askedAt.getTime()
  const left = startMs + QUIET_MS - nowMs
  if (left <= 0) await write(db, addressDigest, DAY, nowMs, 1)
  else if (known.streak >= MAILS_PER_DAY * factor) return left
  else await write(db, addressDigest, DAY, startMs, known.streak + 1)
  return 0
}

/** The row, locked; undefined when this call has made it, as the first of its streak. */
async function lockRow(
  db: Db<AuthDatabase>,
  addressDigest: Buffer,
  slot: string,
  nowMs: number,
): Promise<{ askedAt: Date; streak: number } | undefined> {
  const made = await db
    .insertInto('mailThrottle')
    .values({ addressDigest, slot, askedAt: new Date(nowMs), streak: 1 })
    .onConflict((conflict) => conflict.columns(['addressDigest', 'slot']).doNothing())
    .returning(sql<number>`1`.as('made'))
    .executeTakeFirst()
  if (made !== undefined) return undefined
  return db
    .selectFrom('mailThrottle')
    .select(['askedAt', 'streak'])
    .where('addressDigest', '=', addressDigest)
    .where('slot', '=', slot)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

async function write(
  db: Db<AuthDatabase>,
  addressDigest: Buffer,
  slot: string,
  askedAtMs: number,
  streak: number,
): Promise<void> {
  await db
    .updateTable('mailThrottle')
    .set({ askedAt: new Date(askedAtMs), streak })
    .where('addressDigest', '=', addressDigest)
    .where('slot', '=', slot)
    .execute()
}
