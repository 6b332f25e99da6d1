import type { SecurityEvent } from '@looptide/contracts/audit-actions'
import { appendAudit } from '@looptide/service-kit/audit'
import type { Transaction } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'
import { markUntil } from './guard-repository.ts'

export interface SecurityFacts {
  event: SecurityEvent
  /** Whose doing it was. */
  userId: string
  targetUserId?: string | null
  details: Record<string, unknown>
  correlationId: string | null
  /** The same `key` is recorded once in `forMs`, so that repetition does not fill the log. */
  once?: { key: string; nowMs: number; forMs: number }
}

/** Tells of a security event as every owner tells of an admin's change; it enters the log that way. */
export async function recordSecurityEvent(
  trx: Transaction<AdminAuditDb>,
  facts: SecurityFacts,
): Promise<void> {
  if (facts.once !== undefined) {
    const { key, nowMs, forMs } = facts.once
    if (!(await markUntil(trx, `${facts.event} ${key}`, new Date(nowMs), new Date(nowMs + forMs)))) return
  }
  await appendAudit(
    trx,
    'admin.audit.recorded.v1',
    {
      action: facts.event,
      targetType: 'user',
      targetId: facts.userId,
      targetUserId: facts.targetUserId ?? null,
      details: facts.details,
    },
    { actorId: facts.userId, correlationId: facts.correlationId },
  )
}
