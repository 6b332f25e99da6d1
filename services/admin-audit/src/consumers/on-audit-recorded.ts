import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertEntry } from '../features/audit/audit-repository.ts'

type AuditEvent =
  | 'auth.audit.recorded.v1'
  | 'catalogue.audit.recorded.v1'
  | 'stream.audit.recorded.v1'
  | 'chat.audit.recorded.v1'
  | 'audience.audit.recorded.v1'
  | 'admin.audit.recorded.v1'
  | 'metadata.audit.recorded.v1'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Writes the audit events of all services to the audit log. */
export async function onAuditRecorded(
  trx: Transaction<Database>,
  envelope: Envelope<AuditEvent>,
): Promise<void> {
  const { actorId } = envelope
  await insertEntry(trx, {
    ...envelope.data,
    id: envelope.id,
    // Actions of the command line and of the first start have no user id.
    adminUserId: actorId !== null && UUID.test(actorId) ? actorId : null,
    correlationId: envelope.correlationId,
    createdAt: new Date(envelope.occurredAt),
  })
}
