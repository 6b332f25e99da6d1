import type { SecurityEvent } from '@looptide/contracts/audit-actions'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { claimUntil } from './guard-repository.ts'

export interface SecurityFacts {
  event: SecurityEvent
  /** The user who caused the event. */
  userId: string
  targetUserId?: string | null
  details: Record<string, unknown>
  correlationId: string | null
  /** Records events with the same `key` only once in `forMs`, so that repetitions do not fill the log. */
  once?: { key: string; nowMs: number; forMs: number }
}

/** Records a security event. It is published as an audit event, like those of other services, and so enters the log. */
export async function recordSecurityEvent(trx: Transaction<Database>, facts: SecurityFacts): Promise<void> {
  if (facts.once !== undefined) {
    const { key, nowMs, forMs } = facts.once
    if (!(await claimUntil(trx, `${facts.event} ${key}`, new Date(nowMs), new Date(nowMs + forMs)))) return
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
