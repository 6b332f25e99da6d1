import type { AuditAction } from '@looptide/contracts/audit-actions'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, Trx } from '../db/schema.ts'
import { lockChannel } from '../timeline/timeline-repository.ts'

/** The channel, locked until the transaction ends. Throws `not_found`. */
export async function lockForChange(trx: Trx, channelId: string): Promise<ChannelRow> {
  const channel = await lockChannel(trx, channelId)
  if (channel === undefined) throw errors.notFound('This channel')
  return channel
}

/** Appends an audit entry about a channel's schedule, in the transaction of the change. */
export async function auditSchedule(
  trx: Trx,
  action: Extract<AuditAction, `schedule.${string}`>,
  { id, name }: ChannelRow,
  { details, ...states }: { before?: unknown; after?: unknown; details?: object },
  cause: Cause,
): Promise<void> {
  await appendAudit(
    trx,
    'stream.audit.recorded.v1',
    { action, targetType: 'channel', targetId: id, ...states, details: { channelName: name, ...details } },
    cause,
  )
}
