import type { Role } from '@looptide/contracts/common'
import {
  type AppealOutcome,
  CASE_TIME_OUT_MS,
  type CaseDecision,
  type Unreversed,
} from '@looptide/contracts/http/chat-cases'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Selectable, Transaction } from 'kysely'
import type { Database, ReportCasesTable } from '../../db/schema.ts'
import { findMessage, listMessages, lockChannel, markRemoved } from '../messages/message-repository.ts'
import { presentMessage } from '../messages/present-message.ts'
import { findOtherBan, markShown, updateCase } from './case-repository.ts'
import { reportsOfCase } from './report-repository.ts'

/** Reporters who are notified of a decision at once; others find it in their list. */
const MAX_NOTIFIED = 100

type Case = Selectable<ReportCasesTable>
type Trx = Transaction<Database>

/** Decides about an open case, in the transaction that has locked it. Nothing is left to reverse. */
export async function decideReport(
  trx: Trx,
  found: Case,
  { decision, reason, by }: { decision: CaseDecision; reason: string | null; by: string },
  cause: Cause,
): Promise<Unreversed[]> {
  const { id, authorUserId: authorId } = found
  const decidedAt = new Date()
  await updateCase(trx, id, { state: 'decided', decision, reason, decidedAt, decidedBy: by })
  if (decision !== 'none') await removeMessage(trx, found, by, cause)
  const timeOut =
    decision === 'restrict'
      ? { timeOutUntil: new Date(decidedAt.getTime() + CASE_TIME_OUT_MS).toISOString() }
      : {}
  const reporterIds = (await reportsOfCase(trx, id, MAX_NOTIFIED)).map((report) => report.reporterUserId)
  const data = { caseId: id, decision, authorId, reporterIds, ...timeOut }
  await appendEvent(trx, 'chat.case.decided.v1', id, data, cause)
  await audit(trx, found, { decision, reason, ...timeOut }, cause)
  return []
}

/**
 * Decides about an appeal, in the transaction that has locked its case. A reversed decision undoes what the decision has
 * done. Returns what it leaves.
 */
export async function decideAppeal(
  trx: Trx,
  found: Case,
  { outcome, reason, by }: { outcome: AppealOutcome; reason: string | null; by: string },
  roleOf: (userId: string) => Role,
  cause: Cause,
): Promise<Unreversed[]> {
  const { id, authorUserId: authorId } = found
  const change = { state: 'closed', outcome, outcomeBy: by } as const
  await updateCase(trx, id, { ...change, ...(reason !== null && { reason }) })
  const unreversed = outcome === 'reverse' ? await reverse(trx, found, roleOf, cause) : []
  const data = { caseId: id, decision: outcome, authorId, reporterIds: [] }
  await appendEvent(trx, 'chat.case.decided.v1', id, data, cause)
  await audit(trx, found, { decision: outcome, reason, unreversed }, cause)
  return unreversed
}

/** Shows the message again. Auth ends the time-out of the decision, if it is still in force. */
async function reverse(
  trx: Trx,
  found: Case,
  roleOf: (userId: string) => Role,
  cause: Cause,
): Promise<Unreversed[]> {
  const left = await restoreMessage(trx, found, roleOf, cause)
  const hasOtherBan =
    found.decision === 'restrict' && (await findOtherBan(trx, found.authorUserId, found.id)) !== undefined
  return hasOtherBan ? [...left, 'ban'] : left
}

/** Removes the message of a case, unless it was removed or deleted before. */
async function removeMessage(
  trx: Trx,
  { channelId, messageId, seq }: Case,
  moderatorId: string,
  cause: Cause,
): Promise<void> {
  await lockChannel(trx, channelId)
  if (!(await markRemoved(trx, messageId, moderatorId))) return
  await appendEvent(trx, 'chat.message.removed.v1', channelId, { channelId, messageId, seq }, cause)
}

/** Shows the message of a case again, unless another moderator than the one who has decided the case removed it. */
async function restoreMessage(
  trx: Trx,
  { channelId, messageId, seq, decidedBy }: Case,
  roleOf: (userId: string) => Role,
  cause: Cause,
): Promise<Unreversed[]> {
  await lockChannel(trx, channelId)
  if (decidedBy !== null && (await markShown(trx, messageId, decidedBy))) {
    const [row] = await listMessages(trx, channelId, { after: seq - 1, limit: 1 })
    if (row === undefined) throw errors.notFound('This message')
    const message = presentMessage(row, roleOf(row.userId))
    await appendEvent(trx, 'chat.message.restored.v1', channelId, { message }, cause)
    return []
  }
  const message = await findMessage(trx, channelId, messageId)
  if (message === undefined) return ['message_deleted']
  return message.isDeleted ? ['message_removed'] : []
}

/** Records a decision about a case, or about its appeal. */
async function audit(
  trx: Trx,
  { id, channelId, messageId, authorUserId, message, decision, state }: Case,
  after: object,
  cause: Cause,
): Promise<void> {
  await appendAudit(
    trx,
    'chat.audit.recorded.v1',
    {
      action: state === 'appealed' ? 'chat_appeal.decide' : 'chat_report.decide',
      targetType: 'chat_message',
      targetId: messageId,
      targetUserId: authorUserId,
      before: { message, decision },
      after,
      details: { channelId, caseId: id },
    },
    cause,
  )
}
