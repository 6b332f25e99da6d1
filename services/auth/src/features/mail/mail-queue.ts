import { isOutage } from '@looptide/service-kit/http/errors'
import type { HealthCheck } from '@looptide/service-kit/http/health'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely, Transaction } from 'kysely'
import type { Counter, Gauge } from 'prom-client'
import { AccountError } from '../../account-error.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database, MailSlot } from '../../db/schema.ts'
import {
  countMails,
  deleteExpiredMails,
  deleteMail,
  deleteMailInSlot,
  insertMail,
  postponeMail,
  type QueuedMail,
  takeDueMails,
} from './mail-queue-repository.ts'
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
    if (row.slot !== null) await deleteMailInSlot(trx, row.userId, row.slot)
    await insertMail(trx, {
      ...row,
      sealed: this.#deps.vault.seal(JSON.stringify(mail), CONTEXT),
      nextAttemptAt: new Date(this.#deps.now()),
    })
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
    const expired = await deleteExpiredMails(db, new Date(now()))
    if (expired === 0) return
    mails.inc({ result: 'expired' }, expired)
    logger.warn({ mails: expired }, 'mails expired unsent')
  }

  async #countQueued(): Promise<void> {
    this.#queued = await countMails(this.#deps.db, CAPACITY)
    this.#deps.waiting.set(this.#queued)
  }

  /** Takes up to ten due mails and tries to send each once. Returns how many it took. */
  async processBatch(): Promise<number> {
    const { db, now } = this.#deps
    const rows = await takeDueMails(db, { nowMs: now(), leaseMs: LEASE_MS, limit: BATCH })
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
        await deleteMail(db, row.id)
        return
      }
      logger.warn({ ...fields, attempts: row.attempts + 1 }, 'mail not sent')
      await postponeMail(db, row.id, {
        attempts: row.attempts + 1,
        nextAttemptAt: new Date(now() + retryDelayMs(row.attempts)),
      })
      return
    }
    mails.inc({ result: 'sent' })
    await deleteMail(db, row.id)
  }
}
