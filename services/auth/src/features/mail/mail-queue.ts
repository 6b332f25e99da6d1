import { isOutage } from '@looptide/service-kit/http/errors'
import type { HealthCheck } from '@looptide/service-kit/http/health'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Counter, Gauge } from 'prom-client'
import { AccountError } from '../../account-error.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database, MailSlot } from '../../db/schema.ts'
import { isFinalRejection, redactMailError } from './redact-mail-error.ts'
import type { Mail } from './templates.ts'

const CONTEXT = 'mail'
const BATCH = 10
const POLL_INTERVAL_MS = 2000
/** Time for which a mail being sent is not taken by another process. Longer than any SMTP timeout. */
const LEASE_MS = 60_000
const retryDelayMs = (attempts: number): number => Math.min(300_000, 500 * 2 ** attempts)
/** Maximum number of queued mails. More indicate that the SMTP server accepts none, or too few. */
const CAPACITY = 10_000

interface QueueDeps {
  db: Kysely<Database>
  vault: Vault
  /** Sends a mail to the SMTP server. Rejects when the server did not accept it. */
  send: (mail: Mail) => Promise<void>
  logger: Logger
  /** Results: `sent`, `failed` (will be retried), `rejected` (permanently), `expired` (never sent). */
  mails: Counter<'result'>
  waiting: Gauge
  now: () => number
}

type QueuedMail = Pick<Selectable<Database['mailOutbox']>, 'id' | 'userId' | 'slot' | 'sealed' | 'attempts'>

/**
 * Queue of outgoing mails in a table. A mail is inserted in the transaction of the change it belongs to, so that an
 * acknowledged request gets its mail even during an outage of the SMTP server. Rows are encrypted and deleted after
 * delivery.
 */
export class MailQueue implements Background {
  readonly #deps: QueueDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #wokenWhileRunning = false
  #stopped = false
  #queued = 0

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_INTERVAL_MS)
    this.#timer.unref()
    this.wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  /** Throws `mail_queue_full` while the queue is full. The count is at most two seconds old. */
  requireCapacity(): void {
    if (this.#queued < CAPACITY) return
    throw new AccountError('mail_queue_full', 'Emails cannot be sent at the moment. Please try again later.')
  }

  /** For `/readyz`: rejects while the queue is full. */
  readonly check: HealthCheck = {
    name: 'mail queue',
    check: () => {
      if (this.#queued >= CAPACITY) throw new Error(`mail queue full: ${this.#queued} mails`)
    },
  }

  /**
   * Queues a mail. An unsent mail of the same user and slot is replaced. A notice has no slot (null) and replaces none.
   */
  async add(
    trx: Transaction<Database>,
    mail: Mail,
    row: { userId: string | null; slot: MailSlot | null; expiresAt: Date },
  ): Promise<void> {
    if (row.slot !== null) {
      await trx
        .deleteFrom('mailOutbox')
        .where('userId', '=', row.userId)
        .where('slot', '=', row.slot)
        .execute()
    }
    await trx
      .insertInto('mailOutbox')
      .values({
        ...row,
        sealed: this.#deps.vault.seal(JSON.stringify(mail), CONTEXT),
        nextAttemptAt: new Date(this.#deps.now()),
      })
      .execute()
  }

  /** Starts sending the mails that are due. */
  wake(): void {
    if (this.#stopped) return
    if (this.#running !== undefined) {
      this.#wokenWhileRunning = true
      return
    }
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      if (this.#wokenWhileRunning) {
        this.#wokenWhileRunning = false
        this.wake()
      }
    })
  }

  async #drain(): Promise<void> {
    try {
      await this.#deleteExpired()
      await this.#countQueued()
      while (!this.#stopped && (await this.processBatch()) > 0);
    } catch (error) {
      const level = isOutage(error) ? 'warn' : 'error'
      this.#deps.logger[level]({ err: error }, 'mail queue processing failed')
    }
  }

  /** Deletes mails whose links have expired. */
  async #deleteExpired(): Promise<void> {
    const { db, now, mails, logger } = this.#deps
    const { rows } = await sql`delete from mail_outbox where id = any(array
      (select id from mail_outbox where expires_at <= ${new Date(now())} limit 1000 for update skip locked))
      returning id`.execute(db)
    if (rows.length === 0) return
    mails.inc({ result: 'expired' }, rows.length)
    logger.warn({ mails: rows.length }, 'mails expired unsent')
  }

  async #countQueued(): Promise<void> {
    const counted = await sql<{ queued: number }>`select count(*)::int as queued
      from (select 1 from mail_outbox limit ${CAPACITY}) as queue`.execute(this.#deps.db)
    this.#queued = counted.rows[0]?.queued ?? 0
    this.#deps.waiting.set(this.#queued)
  }

  /** Takes up to ten due mails and tries to send each once. Returns how many it took. */
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
      const fields = { mailError: redactMailError(error), mailId: row.id, userId: row.userId, slot: row.slot }
      if (isFinal) {
        logger.warn(fields, 'mail rejected')
        await db.deleteFrom('mailOutbox').where('id', '=', row.id).execute()
        return
      }
      logger.warn({ ...fields, attempts: row.attempts + 1 }, 'mail not sent')
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
