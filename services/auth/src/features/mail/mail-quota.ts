import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'
import { type CountedMails, lockCounter, writeCounter } from './mail-counter-repository.ts'

/** Minimum time between two mails to one mailbox and slot, divided by the rate limit factor. It doubles each time. */
const MAIL_INTERVAL_MS = 60_000
const MAX_INTERVAL_MS = 4 * 3_600_000
/** Time without a mail that resets the interval to {@link MAIL_INTERVAL_MS}; also the length of a quota's day, in ms. */
export const STREAK_RESET_MS = 86_400_000
/** Mails to one mailbox per day, for all slots together, multiplied by the rate limit factor. */
const MAILS_PER_DAY = 10
/** Value of `slot` in the row that counts the mails of a day. */
const DAY = 'day'

export interface MailRequest {
  /** Keyed digest of the mailbox, with the name of the budget if it is not that of strangers; for warnings of the account's email. */
  addressDigest: Buffer
  slot: string
  nowMs: number
  factor: number
}

/** The limit that refuses a mail. */
export interface RefusedMail {
  /** Time until the next mail is allowed, in ms. */
  waitMs: number
  /** Number of mails that were counted. The work that replaces waiting grows with it. */
  excess: number
}

/** Time to wait after the `streak`th mail in a row, in ms. */
const intervalAfter = (streak: number, factor: number): number =>
  Math.min(MAX_INTERVAL_MS, MAIL_INTERVAL_MS * 2 ** (Math.max(1, streak) - 1)) / factor

/**
 * Counts a mail to a recipient, with or without an account. Returns the limit that refuses it. After a refusal the caller
 * must roll back what this call wrote, so that the refused mail does not count.
 */
export async function claimMail(db: Db<Database>, request: MailRequest): Promise<RefusedMail | undefined> {
  return (await claimSlot(db, request)) ?? (await claimDay(db, request))
}

/** Applies the interval of one slot only, without the quota of the day. Returns the same as {@link claimMail}. */
export async function claimSlot(db: Db<Database>, request: MailRequest): Promise<RefusedMail | undefined> {
  const known = await lockCounter(db, request, request.slot)
  if (known === undefined) return undefined
  const waitMs = known.askedAt.getTime() + intervalAfter(known.streak, request.factor) - request.nowMs
  if (waitMs > 0) return { waitMs, excess: known.streak }
  await countInSlot(db, request, known)
  return undefined
}

async function claimDay(db: Db<Database>, request: MailRequest): Promise<RefusedMail | undefined> {
  const known = await lockCounter(db, request, DAY)
  if (known === undefined) return undefined
  const waitMs = known.askedAt.getTime() + STREAK_RESET_MS - request.nowMs
  if (waitMs > 0 && known.streak >= MAILS_PER_DAY * request.factor) return { waitMs, excess: known.streak }
  await countInDay(db, request, known)
  return undefined
}

/** Counts a mail that is sent whether the limits allow it or not. */
export async function chargeMail(db: Db<Database>, request: MailRequest): Promise<void> {
  const inSlot = await lockCounter(db, request, request.slot)
  if (inSlot !== undefined) await countInSlot(db, request, inSlot)
  const inDay = await lockCounter(db, request, DAY)
  if (inDay !== undefined) await countInDay(db, request, inDay)
}

async function countInSlot(db: Db<Database>, request: MailRequest, known: CountedMails): Promise<void> {
  const { nowMs, slot } = request
  const isNewStreak = nowMs - known.askedAt.getTime() >= STREAK_RESET_MS
  await writeCounter(db, request, slot, {
    askedAt: new Date(nowMs),
    streak: isNewStreak ? 1 : known.streak + 1,
  })
}

async function countInDay(db: Db<Database>, request: MailRequest, known: CountedMails): Promise<void> {
  const { nowMs } = request
  const isOver = nowMs - known.askedAt.getTime() >= STREAK_RESET_MS
  const { askedAt, streak } = known
  await writeCounter(
    db,
    request,
    DAY,
    isOver ? { askedAt: new Date(nowMs), streak: 1 } : { askedAt, streak: streak + 1 },
  )
}
