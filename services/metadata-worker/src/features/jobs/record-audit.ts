import type { Envelope } from '@looptide/contracts/events'
import { type AuditFacts, auditData, causeOf } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { jetstream } from '@looptide/service-kit/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/publish-envelope'
import type { FastifyRequest } from 'fastify'

/**
 * Tells the audit log what an admin is about to do. Written before the deed, for there is no transaction that holds
 * both; no word in the log, no deed: throws `service_unavailable`.
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
