import type { EventData, EventType } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { EventTables } from './event-tables.ts'
import { newId } from './ids.ts'
import { currentTraceParent } from './tracing.ts'

/**
 * Longest data of an event, in bytes of its JSON. NATS takes messages of 1 MiB at most; an event beyond this is a fault
 * of the code that writes it, which must not fill an outbox with what nobody can publish.
 */
export const MAX_EVENT_BYTES = 262_144

/** Who caused an event, and the request it came from. */
export interface Cause {
  actorId?: string | null
  correlationId?: string | null
}

/** An event to be told, with the data that its type asks for. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; aggregateId: string; data: EventData<K>; cause?: Cause }
}[T]

/**
 * Writes an event beside the change it tells of: both are there after the commit, or neither.
 * It takes a transaction only; a plain connection does not compile.
 */
export async function appendEvent<D extends EventTables, T extends EventType>(
  trx: Transaction<D>,
  type: T,
  aggregateId: string,
  data: EventData<T>,
  cause: Cause = {},
): Promise<void> {
  await appendEvents(trx, [{ type, aggregateId, data } as NewEvent], cause)
}

/**
 * As {@link appendEvent}, for many at once, in their order; an event may have a cause of its own. Throws a RangeError,
 * and with it undoes the change, for an event of more than {@link MAX_EVENT_BYTES}.
 */
export async function appendEvents<D extends EventTables>(
  trx: Transaction<D>,
  events: readonly NewEvent[],
  cause: Cause = {},
): Promise<void> {
  if (events.length === 0) return
  const occurredAt = new Date()
  const traceParent = currentTraceParent()
  await (trx as unknown as Transaction<EventTables>)
    .insertInto('outbox')
    .values(
      events.map(({ type, aggregateId, data, cause: own = cause }) => ({
        id: newId(),
        type,
        occurredAt,
        actorId: own.actorId ?? null,
        correlationId: own.correlationId ?? null,
        aggregateId,
        data: toJson(type, data),
        traceParent,
      })),
    )
    .execute()
}

function toJson(type: EventType, data: unknown): string {
  const json = JSON.stringify(data)
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_EVENT_BYTES) {
    throw new RangeError(`the event ${type} has ${bytes} bytes of data, more than ${MAX_EVENT_BYTES}`)
  }
  return json
}
