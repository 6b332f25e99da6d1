import { isOutage } from '@looptide/service-kit/errors'
import type { Logger } from '@looptide/service-kit/logger'
import type { Background } from '@looptide/service-kit/run-service'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Counter } from 'prom-client'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase, Slot } from '../../db/schema.ts'
import type { Mail } from './templates.ts'

const CONTEXT = 'mail'
const BATCH = 10
const POLL_MS = 2000
/** While a mail is being sent nobody else takes it; longer than any answer of an SMTP server may take. */
const LEASE_MS = 60_000
const retryDelayMs = (attempts: number): number => Math.min(60_000, 500 * 2 ** attempts)

interface QueueDeps {
  db: Kysely<AuthDatabase>
  vault: Vault
  /** Hands a mail to the SMTP server; rejects when it was not taken. */
  send: (mail: Mail) => Promise<void>
  logger: Logger
  mails: Counter<'result'>
  now: () => number
}

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
      while (!this.#stopped && (await this.processBatch()) > 0);
    } catch (error) {
      const level = isOutage(error) ? 'warn' : 'error'
      this.#deps.logger[level]({ err: error }, 'the mail queue starts over')
    }
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
        .returning(['id', 'sealed', 'attempts'])
        .execute()
    })
    await Promise.all(rows.map((row) => this.#deliver(row)))
    return rows.length
  }

  async #deliver(row: { id: number; sealed: Buffer; attempts: number }): Promise<void> {
    const { db, vault, send, logger, mails, now } = this.#deps
    try {
      await send(JSON.parse(vault.open(row.sealed, CONTEXT)) as Mail)
    } catch (error) {
      mails.inc({ result: 'failed' })
      logger.warn({ err: error, mailId: row.id, attempts: row.attempts + 1 }, 'a mail was not sent')
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
