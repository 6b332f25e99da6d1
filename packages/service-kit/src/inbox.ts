import type { Envelope } from '@looptide/contracts/events'
import { type Kysely, sql, type Transaction } from 'kysely'
import { inBatches } from './batches.ts'
import type { EventTables } from './event-tables.ts'
import { newId } from './ids.ts'

/** What a consumer needs of a store: apply an event once, and keep those it cannot take. */
export interface Inbox<Context> {
  /** Runs `effect` unless the event was applied before; both in one transaction. */
  applyOnce(
    consumer: string,
    envelope: Envelope,
    effect: (context: Context) => Promise<void>,
  ): Promise<'applied' | 'duplicate'>
  /** Keeps an event that cannot be applied as a dead letter; redelivered, it is a duplicate. */
  deadLetter(
    consumer: string,
    subject: string,
    eventId: string | null,
    envelope: unknown,
    error: string,
  ): Promise<void>
  /**
   * Keeps a message that is not an event signed by its owner, for an admin to look at, unless {@link MAX_REJECTED}
   * of this consumer are kept already: a client that can publish must not be able to fill the store.
   */
  storeRejected(consumer: string, subject: string, body: unknown, reason: string): Promise<'kept' | 'dropped'>
  /** Whether the store takes writes just now: tells a handler that is too slow from a store that is. */
  isWritable(): Promise<boolean>
  /** Deletes what is older than a stream keeps, for it cannot come again. */
  prune(): Promise<void>
}

/** How long a write may take in a store that is well (ms). */
const PROBE_MS = 1000
const PROBE = 'probe'
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
      const isFresh = await this.#mark(trx as unknown as Transaction<EventTables>, consumer, envelope.id)
      if (!isFresh) return 'duplicate'
      await effect(trx)
      return 'applied'
    })
  }

  async deadLetter(
    consumer: string,
    subject: string,
    eventId: string | null,
    envelope: unknown,
    error: string,
  ): Promise<void> {
    const reason = error.toWellFormed().replaceAll('\0', '\uFFFD')
    await this.#tables.transaction().execute(async (trx) => {
      // Applied meanwhile by another process, to which it was delivered as well: nothing is left to replay.
      if (eventId !== null && !(await this.#mark(trx, consumer, eventId))) return
      await trx
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
    })
  }

  /**
   * Applies a dead letter's event unless the letter was replayed before; the note of it and the effect are one
   * transaction. The inbox cannot tell: it forgets after some days, while a letter stays.
   */
  async applyDeadLetter(letterId: number, effect: (trx: Transaction<D>) => Promise<void>): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await (trx as unknown as Transaction<EventTables>)
        .updateTable('deadLetters')
        .set({ replayedAt: new Date() })
        .where('id', '=', letterId)
        .where('replayedAt', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await effect(trx)
      return true
    })
  }

  /** False when the consumer has this event already. */
  async #mark(trx: Transaction<EventTables>, consumer: string, eventId: string): Promise<boolean> {
    const fresh = await trx
      .insertInto('inbox')
      .values({ consumer, eventId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('eventId')
      .executeTakeFirst()
    return fresh !== undefined
  }

  async isWritable(): Promise<boolean> {
    const probe = this.#tables.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(PROBE_MS)}, true)`.execute(trx)
      const eventId = newId()
      await this.#mark(trx, PROBE, eventId)
      await trx.deleteFrom('inbox').where('consumer', '=', PROBE).where('eventId', '=', eventId).execute()
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), PROBE_MS)
    })
    const isWell = await Promise.race([
      probe.then(
        () => true,
        () => false,
      ),
      late,
    ])
    clearTimeout(timer)
    return isWell
  }

  async storeRejected(
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
    await inBatches((limit) =>
      sql`delete from inbox where ctid = any(array(
        select ctid from inbox where received_at < now() - interval '8 days'
        order by received_at limit ${limit}))`.execute(this.#tables),
    )
  }
}
