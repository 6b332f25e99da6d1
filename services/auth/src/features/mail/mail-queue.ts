import { isOutage } from '@looptide/service-kit/errors'
import type { HealthCheck } from '@looptide/service-kit/health'
import type { Logger } from '@looptide/service-kit/logger'
import type { Background } from '@looptide/service-kit/run-service'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Counter, Gauge } from 'prom-client'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase, Slot } from '../../db/schema.ts'
import { AuthError } from '../../protocol/auth-error.ts'
import { isFinalRejection, redactMailError } from './redact-mail-error.ts'
import type { Mail } from './templates.ts'

const CONTEXT = 'mail'
const BATCH = 10
const POLL_MS = 2000
/** While a mail is being sent nobody else takes it; longer than any answer of an SMTP server may take. */
const LEASE_MS = 60_000
const retryDelayMs = (attempts: number): number => Math.min(300_000, 500 * 2 ** attempts)
/** Mails that may wait at the same time. More than this means that the SMTP server takes none, or too few. */
const MAX_WAITING = 10_000

interface QueueDeps {
  db: Kysely<AuthDatabase>
  vault: Vault
  /** Hands a mail to the SMTP server; rejects when it was not taken. */
  send: (mail: Mail) => Promise<void>
  logger: Logger
  /** Results: `sent`, `failed` (will be tried again), `rejected` (for good), `expired` (never sent). */
  mails: Counter<'result'>
  waiting: Gauge
  now: () => number
}

type QueuedMail = Pick<
  Selectable<AuthDatabase['mailOutbox']>,
  'id' | 'userId' | 'slot' | 'sealed' | 'attempts'
>

/**
 * Mails wait in a table, written in the transaction of what they tell of: what was acknowledged gets its
 * mail even if the SMTP server is away just then. Rows are encrypted, and go when the mail has gone.
 */
export class MailQueue implements Background {
  readonly #deps: QueueDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #waiting = 0

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS)
    this.#timer.unref()
    this.wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  /** Throws `service_unavailable` while the queue is full. Known after at most two seconds. */
  requireRoom(): void {
    if (this.#waiting < MAX_WAITING) return
    throw new AuthError('service_unavailable', 'Mails cannot be sent at the moment. Please try again later.')
  }

  /** For `/readyz`: rejects while the queue is full. */
  readonly check: HealthCheck = {
    name: 'mail queue',
    check: () => {
      if (this.#waiting >= MAX_WAITING) throw new Error(`${this.#waiting} mails are waiting`)
    },
  }

  /**
   * Queues a mail; one of the same person and slot that has not gone yet is replaced. A notice has no slot (null) and
   * replaces nothing.
   */
  async add(
    trx: Transaction<AuthDatabase>,
    mail: Mail,
    facts: { userId: string; slot: Slot | null; expiresAt: Date },
  ): Promise<void> {
    if (facts.slot !== null) {
      await trx
        .deleteFrom('mailOutbox')
        .where('userId', '=', facts.userId)
        .where('slot', '=', facts.slot)
        .execute()
    }
    await trx
      .insertInto('mailOutbox')
      .values({
        ...facts,
        sealed: this.#deps.vault.seal(JSON.stringify(mail), CONTEXT),
        nextAttemptAt: new Date(this.#deps.now()),
      })
      .execute()
  }

  /** Sends what is due, in the background. */
  wake(): void {
    if (this.#stopped) return
    if (this.#running !== undefined) {
      this.#again = true
      return
    }
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      if (this.#again) {
        this.#again = false
        this.wake()
      }
    })
  }

  async #drain(): Promise<void> {
    try {
      await this.#dropExpired()
      await this.#measure()
      while (!this.#stopped && (await this.processBatch()) > 0);
    } catch (error) {
      const level = isOutage(error) ? 'warn' : 'error'
      this.#deps.logger[level]({ err: error }, 'the mail queue starts over')
    }
  }

  /** Removes mails whose links have expired: nobody could use them. */
  async #dropExpired(): Promise<void> {
    const { db, now, mails, logger } = this.#deps
    const { rows } = await sql`delete from mail_outbox where id = any(array
      (select id from mail_outbox where expires_at <= ${new Date(now())} limit 1000 for update skip locked))
      returning id`.execute(db)
    if (rows.length === 0) return
    mails.inc({ result: 'expired' }, rows.length)
    logger.warn({ mails: rows.length }, 'mails expired unsent')
  }

  async #measure(): Promise<void> {
    const counted = await sql<{ waiting: number }>`select count(*)::int as waiting
      from (select 1 from mail_outbox limit ${MAX_WAITING}) as queue`.execute(this.#deps.db)
    this.#waiting = counted.rows[0]?.waiting ?? 0
    this.#deps.waiting.set(this.#waiting)
  }

  /** Takes up to ten due mails and tries each once; answers how many it took. */
  async processBatch(): Promise<number> {
    const { db, now } = this.#deps
    const nowMs = now()
    const due = await sql<{ id: number }>`
      select id from mail_outbox
      where next_attempt_at <= ${new Date(nowMs)} and expires_at > ${new Date(nowMs)}
      order by next_attempt_at limit ${BATCH} for update skip locked`
    const rows = await db.transaction().execute(async (trx) => {
      const ids = (await due.execute(trx)).rows.map((row) => row.id)
      if (ids.length === 0) return []
      return trx
        .updateTable('mailOutbox')
        .set({ nextAttemptAt: new Date(nowMs + LEASE_MS) })
        .where('id', 'in', ids)
        .returning(['id', 'userId', 'slot', 'sealed', 'attempts'])
        .execute()
    })
    await Promise.all(rows.map((row) => this.#deliver(row)))
    return rows.length
  }

  async #deliver(row: QueuedMail): Promise<void> {
    const { db, vault, send, logger, mails, now } = this.#deps
    try {
      await send(JSON.parse(vault.open(row.sealed, CONTEXT)) as Mail)
    } catch (error) {
      const isFinal = isFinalRejection(error)
      mails.inc({ result: isFinal ? 'rejected' : 'failed' })
      const facts = { mailError: redactMailError(error), mailId: row.id, userId: row.userId, slot: row.slot }
      if (isFinal) {
        logger.warn(facts, 'mail rejected')
        await db.deleteFrom('mailOutbox').where('id', '=', row.id).execute()
        return
      }
      logger.warn({ ...facts, attempts: row.attempts + 1 }, 'mail not sent')
      await db
        .updateTable('mailOutbox')
        .set({ attempts: row.attempts + 1, nextAttemptAt: new Date(now() + retryDelayMs(row.attempts)) })
        .where('id', '=', row.id)
        .execute()
      return
    }
    mails.inc({ result: 'sent' })
    await db.deleteFrom('mailOutbox').where('id', '=', row.id).execute()
  }
}
