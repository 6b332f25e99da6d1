import type { Envelope } from '@looptide/contracts/events'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { EventTables } from './event-tables.ts'

/** What a consumer needs of a store: apply an event once, and keep those it cannot take. */
export interface Inbox<Context> {
  /** Runs `effect` unless the event was applied before; both in one transaction. */
  applyOnce(
    consumer: string,
    envelope: Envelope,
    effect: (context: Context) => Promise<void>,
  ): Promise<'applied' | 'duplicate'>
  bury(
    consumer: string,
    subject: string,
    eventId: string | null,
    envelope: unknown,
    error: string,
  ): Promise<void>
  /** Forgets what is older than a stream keeps, for it can't come again. */
  prune(): Promise<void>
}

export class PgInbox<D extends EventTables> implements Inbox<Transaction<D>> {
  readonly #db: Kysely<D>
  readonly #tables: Kysely<EventTables>

  constructor(db: Kysely<D>) {
    this.#db = db
    this.#tables = db as unknown as Kysely<EventTables>
  }

  async applyOnce(
    consumer: string,
    envelope: Envelope,
    effect: (trx: Transaction<D>) => Promise<void>,
  ): Promise<'applied' | 'duplicate'> {
    return this.#db.transaction().execute(async (trx) => {
      const fresh = await (trx as unknown as Transaction<EventTables>)
        .insertInto('inbox')
        .values({ consumer, eventId: envelope.id })
        .onConflict((conflict) => conflict.doNothing())
        .returning('eventId')
        .executeTakeFirst()
      if (fresh === undefined) return 'duplicate'
      await effect(trx)
      return 'applied'
    })
  }

  async bury(
    consumer: string,
    subject: string,
    eventId: string | null,
    envelope: unknown,
    error: string,
  ): Promise<void> {
    await this.#tables
      .insertInto('deadLetters')
      .values({
        consumer,
        subject,
        eventId,
        envelope: JSON.stringify(envelope ?? null),
        error,
        replayedAt: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['consumer', 'eventId'])
          .doUpdateSet({ error, failedAt: new Date(), replayedAt: null }),
      )
      .execute()
  }

  async prune(): Promise<void> {
    await sql`delete from inbox where received_at < now() - interval '8 days'`.execute(this.#tables)
  }
}
