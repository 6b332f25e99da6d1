import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { EventData, EventType } from '@looptide/contracts/events'
import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { EventTables } from '../db/event-tables.ts'
import { appendEvents, type Cause, type NewEvent } from '../events/outbox.ts'
import { truncateJson } from '../events/truncate-json.ts'

/** The audit event types of all owners. */
export type AuditType = Extract<EventType, `${string}.audit.recorded.v1`>

/**
 * An admin's change. `before` and `after` contain the changed values. `details` contains the names behind the ids
 * (`channelName`, `videoTitle`, `videos`), so that the entry can be read after the objects were deleted.
 */
export interface AuditFacts {
  action: AuditAction
  targetType?: string | null
  targetId?: string | null
  targetUserId?: string | null
  before?: unknown
  after?: unknown
  details?: unknown
}

/** Maximum size of each of `before`, `after` and `details`, in bytes of JSON. Together they are far below an event's limit. */
const MAX_FACT_BYTES = 49_152

/**
 * The data of an audit event; missing facts are null. Values that are too long are truncated by {@link truncateJson}.
 */
export const auditData = (facts: AuditFacts): EventData<AuditType> => ({
  action: facts.action,
  targetType: facts.targetType ?? null,
  targetId: facts.targetId ?? null,
  targetUserId: facts.targetUserId ?? null,
  before: truncateJson(facts.before ?? null, MAX_FACT_BYTES),
  after: truncateJson(facts.after ?? null, MAX_FACT_BYTES),
  details: truncateJson(facts.details ?? null, MAX_FACT_BYTES),
})

/** The audit event of an admin's change. */
export const auditEvent = (type: AuditType, facts: AuditFacts): NewEvent<AuditType> => ({
  type,
  aggregateId: facts.targetId ?? facts.targetUserId ?? facts.action,
  data: auditData(facts),
})

/** Writes the audit event of an admin's change in the transaction of the change. */
export async function appendAudit<D extends EventTables>(
  trx: Transaction<D>,
  type: AuditType,
  facts: AuditFacts,
  cause: Cause,
): Promise<void> {
  const details = cause.by === undefined ? facts.details : { ...(facts.details ?? {}), by: cause.by }
  await appendEvents(trx, [auditEvent(type, { ...facts, details })], cause)
}

/** The cause of events that a request writes. */
export type CauseOfRequest = Required<Omit<Cause, 'by'>>

/** The cause of events that a request writes: its user and its id. */
export const causeOf = (request: FastifyRequest): CauseOfRequest => ({
  actorId: request.user?.id ?? null,
  correlationId: request.id,
})
