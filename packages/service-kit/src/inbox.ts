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

/** JSON without the two escapes that `jsonb` refuses (NUL, half a surrogate pair): a poison must be buried. */
const storable = (json: string): string =>
  json.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, '$1\uFFFD')

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
    const reason = error.toWellFormed().replaceAll('\0', '\uFFFD')
    await this.#tables
      .insertInto('deadLetters')
      .values({
        consumer,
        subject,
        eventId,
        envelope: storable(JSON.stringify(envelope ?? null)),
        error: reason,
        replayedAt: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['consumer', 'eventId'])
          .doUpdateSet({ error: reason, failedAt: new Date(), replayedAt: null }),
      )
      .execute()
  }

  async prune(): Promise<void> {
    await sql`delete from inbox where received_at < now() - interval '8 days'`.execute(this.#tables)
  }
}
