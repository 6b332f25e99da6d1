import {
  chatCaseDecide,
  chatCaseGet,
  chatCaseList,
  chatDecisionAppeal,
  chatDecisionList,
  chatMessageReport,
  chatReportList,
} from '@looptide/contracts/operations/chat'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { CaseService } from './case-service.ts'
import { type ReportService, readDecisions, readReports } from './report-service.ts'

interface CaseDeps {
  db: Kysely<Database>
  reports: ReportService
  cases: CaseService
}

/** The routes of reported messages: for reporters, authors and moderators. */
export const caseRoutes = ({ db, reports, cases }: CaseDeps): Route[] => [
  route(chatMessageReport, async ({ user, params, body, cause }) => {
    const { report, isNew } = await reports.report(user.id, params, body, cause)
    return answer(isNew ? 201 : 200, report)
  }),
  route(chatReportList, ({ user, query }) => readReports(db, user.id, query.cursor)),
  route(chatDecisionList, ({ user, query }) => readDecisions(db, user.id, query.cursor)),
  route(chatDecisionAppeal, ({ user, params, body, cause }) =>
    reports.appeal(user.id, params.id, body.text, cause),
  ),
  route(chatCaseList, ({ user, query }) => cases.list(user, query)),
  route(chatCaseGet, ({ user, params }) => cases.read(user, params.id)),
  route(chatCaseDecide, ({ user, params, body, cause }) => cases.decide(user, params.id, body, cause)),
]
