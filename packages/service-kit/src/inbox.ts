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
  /**
   * Keeps a message that is not an event signed by its owner, for an admin to look at, unless {@link MAX_REJECTED}
   * of this consumer are kept already: whoever can publish must not be able to fill the store.
   */
  keepRejected(consumer: string, subject: string, body: unknown, reason: string): Promise<'kept' | 'dropped'>
  /** Forgets what is older than a stream keeps, for it can't come again. */
  prune(): Promise<void>
}

/** Rejected messages that are kept of one consumer. */
export const MAX_REJECTED = 100

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

  async keepRejected(
    consumer: string,
    subject: string,
    body: unknown,
    reason: string,
  ): Promise<'kept' | 'dropped'> {
    const envelope = storable(JSON.stringify(body))
    const { rows } = await sql`
      insert into dead_letters (consumer, subject, event_id, envelope, error)
      select ${consumer}, ${subject}, null, ${envelope}::jsonb, ${reason}
      where (
        select count(*) from (
          select 1 from dead_letters
          where consumer = ${consumer} and event_id is null limit ${MAX_REJECTED}
        ) kept
      ) < ${MAX_REJECTED}
      returning id`.execute(this.#tables)
    return rows.length === 1 ? 'kept' : 'dropped'
  }

  async prune(): Promise<void> {
    await sql`delete from inbox where received_at < now() - interval '8 days'`.execute(this.#tables)
  }
}
