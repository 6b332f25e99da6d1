import type { AuditAction } from '@looptide/contracts/audit-actions'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { ChannelRow, LogEditRow, Trx } from '../db/schema.ts'
import { videoTexts } from '../library/video-repository.ts'

/** Appends an audit entry about an edit of a log, in the transaction of the change. */
export async function auditLogEdit(
  trx: Trx,
  action: Extract<AuditAction, `log.${string}`>,
  { id, name }: ChannelRow,
  edit: Pick<LogEditRow, 'id' | 'action' | 'videoId' | 'startsAtMs'>,
  cause: Cause,
): Promise<void> {
  const { title = null, artistName = null } = (await videoTexts(trx, [edit.videoId])).get(edit.videoId) ?? {}
  const startsAt = new Date(edit.startsAtMs).toISOString()
  const details = { channelName: name, editId: edit.id, edit: edit.action, title, artistName, startsAt }
  await appendAudit(
    trx,
    'stream.audit.recorded.v1',
    { action, targetType: 'channel', targetId: id, details },
    cause,
  )
}
