import type { Envelope } from '@looptide/contracts/events'
import { type AuditFacts, auditData, causeOf } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { jetstream } from '@looptide/service-kit/events/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import { errors } from '@looptide/service-kit/http/errors'
import type { FastifyRequest } from 'fastify'

/**
 * Publishes an audit event of an admin's action. Called before the action, because no transaction covers both. Throws
 * `service_unavailable` if the event cannot be published; the caller then does not perform the action.
 */
export async function recordAudit(
  { nats, keys }: EventPublisher,
  request: FastifyRequest,
  facts: AuditFacts,
): Promise<void> {
  const envelope: Envelope<'metadata.audit.recorded.v1'> = {
    id: newId(),
    type: 'metadata.audit.recorded.v1',
    occurredAt: new Date().toISOString(),
    ...causeOf(request),
    aggregateId: facts.targetId ?? facts.action,
    aggregateVersion: Date.now(),
    data: auditData(facts),
  }
  try {
    await publishEnvelope(jetstream(nats), keys, envelope)
  } catch (error) {
    throw errors.unavailable('The audit log', error)
  }
}
