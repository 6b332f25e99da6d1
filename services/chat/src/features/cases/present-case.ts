import type { ChatCase, OwnDecision, OwnReport } from '@looptide/contracts/http/chat-cases'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Selectable } from 'kysely'
import type { ReportCasesTable } from '../../db/schema.ts'
import type { CaseRow } from './case-repository.ts'
import type { ReportRow } from './report-repository.ts'

type Row = Selectable<ReportCasesTable>

const presentAppeal = ({ appeal, appealedAt, outcome }: Row): OwnDecision['appeal'] =>
  appeal === null || appealedAt === null
    ? null
    : { text: appeal, appealedAt: appealedAt.toISOString(), outcome }

/** A report as its reporter sees it. */
export const presentReport = ({ state, reportedAt, ...report }: ReportRow): OwnReport => ({
  ...report,
  reportedAt: reportedAt.toISOString(),
  isHandled: state !== 'open',
})

/** A decision as the author of its message sees it, without who decided. */
export function presentDecision(row: Row): OwnDecision {
  const { id, channelId, message, decision, reason, decidedAt } = row
  if (decision === null || decidedAt === null)
    throw new AppError('internal_error', 'The case is not decided.')
  return {
    id,
    channelId,
    message,
    decision,
    reason,
    decidedAt: decidedAt.toISOString(),
    appeal: presentAppeal(row),
  }
}

/** A case as moderators see it. */
export const presentCase = (row: CaseRow): ChatCase => ({
  id: row.id,
  channelId: row.channelId,
  messageId: row.messageId,
  authorId: row.authorUserId,
  authorHandle: row.authorHandle,
  message: row.message,
  postedAt: row.postedAt.toISOString(),
  openedAt: row.openedAt.toISOString(),
  reportCount: row.reportCount,
  decision: row.decision,
  reason: row.reason,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decidedBy: row.decidedBy,
  appeal: presentAppeal(row),
})
