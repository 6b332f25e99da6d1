import type { Envelope } from '@looptide/contracts/events'
import { type Kysely, sql, type Transaction } from 'kysely'
import { inBatches } from '../db/batches.ts'
import type { EventTables } from '../db/event-tables.ts'
import { newId } from '../db/ids.ts'

/** Store of a consumer: applies each event once and keeps events that cannot be applied. */
export interface Inbox<Context> {
  /** Runs `effect` and marks the event as applied in one transaction, unless it was applied before. */
  applyOnce(
    consumer: string,
    envelope: Envelope,
    effect: (context: Context) => Promise<void>,
  ): Promise<'applied' | 'duplicate'>
  /** Stores an event that cannot be applied as a dead letter. If it is redelivered, it counts as a duplicate. */
  deadLetter(
    consumer: string,
    subject: string,
    eventId: string | null,
    envelope: unknown,
    error: string,
  ): Promise<void>
  /**
   * Stores a message that is not an event signed by its owner, so that an admin can inspect it. Drops it if
   * {@link MAX_REJECTED} of this consumer are stored: a client that can publish must not be able to fill the store.
   */
  storeRejected(consumer: string, subject: string, body: unknown, reason: string): Promise<'kept' | 'dropped'>
  /** Whether the store accepts writes now. Distinguishes a slow handler from a slow store. */
  isWritable(): Promise<boolean>
  /** Deletes entries older than the streams' retention: those events cannot be delivered again. */
  prune(): Promise<void>
}

/** Time limit of a write to a healthy store, in ms. */
const PROBE_TIMEOUT_MS = 1000
const PROBE = 'probe'
/** Maximum rejected messages stored per consumer. */
export const MAX_REJECTED = 100

/** Replaces the two escapes that `jsonb` refuses (NUL, lone surrogate), so that any event can be dead-lettered. */
const toJsonb = (json: string): string =>
  json.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, '$1\uFFFD')

/**
 * Marks the parts of a bulk event as received, in the transaction that applies them. Returns the ids of those that the
 * consumer has not received before.
 */
export async function markParts<D extends EventTables>(
  trx: Transaction<D>,
  consumer: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ eventId: string }>`
    insert into inbox (consumer, event_id) select ${consumer}, unnest(${[...eventIds]}::uuid[])
    on conflict do nothing returning event_id`.execute(trx)
  return new Set(rows.map(({ eventId }) => eventId))
}

/** An inbox in the service's database: the effect of an event and its row in `inbox` are one transaction. */
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
      const isNew = await this.#mark(trx as unknown as Transaction<EventTables>, consumer, envelope.id)
      if (!isNew) return 'duplicate'
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
      // Another process, which also received the event, has applied it: there is nothing to replay.
      if (eventId !== null && !(await this.#mark(trx, consumer, eventId))) return
      await trx
        .insertInto('deadLetters')
        .values({
          consumer,
          subject,
          eventId,
          envelope: toJsonb(JSON.stringify(envelope ?? null)),
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
   * Applies a dead letter's event and marks the letter as replayed in one transaction, unless it was replayed before.
   * The inbox cannot decide this: its entries are deleted after some days, while dead letters stay.
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

  /** Marks the event as received. False if the consumer has received it before. */
  async #mark(trx: Transaction<EventTables>, consumer: string, eventId: string): Promise<boolean> {
    const inserted = await trx
      .insertInto('inbox')
      .values({ consumer, eventId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('eventId')
      .executeTakeFirst()
    return inserted !== undefined
  }

  async isWritable(): Promise<boolean> {
    const probe = this.#tables.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(PROBE_TIMEOUT_MS)}, true)`.execute(trx)
      const eventId = newId()
      await this.#mark(trx, PROBE, eventId)
      await trx.deleteFrom('inbox').where('consumer', '=', PROBE).where('eventId', '=', eventId).execute()
    })
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS)
    })
    const isHealthy = await Promise.race([
      probe.then(
        () => true,
        () => false,
      ),
      timeout,
    ])
    clearTimeout(timer)
    return isHealthy
  }

  async storeRejected(
    consumer: string,
    subject: string,
    body: unknown,
    reason: string,
  ): Promise<'kept' | 'dropped'> {
    const envelope = toJsonb(JSON.stringify(body))
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
