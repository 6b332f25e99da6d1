import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { EventData, EventType } from '@looptide/contracts/events'
import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { EventTables } from './event-tables.ts'
import { appendEvents, type Cause, type NewEvent } from './outbox.ts'
import { truncateJson } from './truncate-json.ts'

/** The event by which an owner tells of its admins' changes. */
export type AuditType = Extract<EventType, `${string}.audit.recorded.v1`>

/**
 * What an admin did. `before` and `after` hold what changed; `details` names what the ids stand for (`channelName`,
 * `videoTitle`, `videos`), so that the entry can be read after the things are gone.
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

/** Longest `before`, `after` and `details` of an audit entry, in bytes of their JSON: together far below an event's limit. */
const MAX_FACT_BYTES = 49_152

/**
 * The facts as the audit event carries them; what is not known is null. A value that is too long is cut by
 * {@link truncateJson}: its longest lists end with how many of their items were left out.
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

/** An admin's change as the event that tells the audit log of it. */
export const auditEvent = (type: AuditType, facts: AuditFacts): NewEvent<AuditType> => ({
  type,
  aggregateId: facts.targetId ?? facts.targetUserId ?? facts.action,
  data: auditData(facts),
})

/** Tells the audit log of an admin's change, in the transaction of the change. */
export async function appendAudit<D extends EventTables>(
  trx: Transaction<D>,
  type: AuditType,
  facts: AuditFacts,
  cause: Cause,
): Promise<void> {
  await appendEvents(trx, [auditEvent(type, facts)], cause)
}

/** The cause that a request is: its person and its id. */
export const causeOf = (request: FastifyRequest): Required<Cause> => ({
  actorId: request.user?.id ?? null,
  correlationId: request.id,
})
