import type { EventData, EventType } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { EventTables } from '../db/event-tables.ts'
import { newId } from '../db/ids.ts'
import { currentTraceParent } from '../telemetry/tracing.ts'

/**
 * Maximum size of an event's data, in bytes of JSON. NATS accepts messages up to 1 MiB. A larger event is a bug in the
 * code that writes it and must not enter the outbox, because it could never be published.
 */
export const MAX_EVENT_BYTES = 262_144

/** The user and the request that caused an event. */
export interface Cause {
  actorId?: string | null
  correlationId?: string | null
  /** The actor that is not a user, such as `service key`. Audit entries have it in `details.by`. */
  by?: string
}

/** An event to publish, with the data of its type. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; aggregateId: string; data: EventData<K>; cause?: Cause }
}[T]

/**
 * Writes an event in the transaction of the change it describes: both are committed, or neither. The parameter's type
 * accepts only a transaction, not a connection.
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
 * Like {@link appendEvent}, for several events in order. An event may have its own cause. Throws a RangeError, which
 * rolls back the change, for an event of more than {@link MAX_EVENT_BYTES}.
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
      events.map(({ type, aggregateId, data, cause: eventCause = cause }) => ({
        id: newId(),
        type,
        occurredAt,
        actorId: eventCause.actorId ?? null,
        correlationId: eventCause.correlationId ?? null,
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
