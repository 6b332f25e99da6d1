import type { ReportReason } from '@looptide/contracts/http/chat-cases'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** A report with the message that it is about. */
export interface ReportRow {
  id: string
  message: string
  reason: ReportReason
  text: string | null
  reportedAt: Date
  state: Database['reportCases']['state']
}

const reportRows = (db: Db<Database>, reporterId: string) =>
  db
    .selectFrom('messageReports as r')
    .innerJoin('reportCases as c', 'c.id', 'r.caseId')
    .select(['c.id', 'c.message', 'r.reason', 'r.text', 'r.reportedAt', 'c.state'])
    .where('r.reporterUserId', '=', reporterId)

/** A user's report of a message. */
export const findReport = (
  db: Db<Database>,
  reporterId: string,
  messageId: string,
): Promise<ReportRow | undefined> =>
  reportRows(db, reporterId).where('c.messageId', '=', messageId).executeTakeFirst()

/** Up to `limit` reports of a user, newest case first. */
export function reportsBy(
  db: Db<Database>,
  reporterId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<ReportRow[]> {
  const query = reportRows(db, reporterId).orderBy('r.caseId', 'desc').limit(limit)
  return (before === undefined ? query : query.where('r.caseId', '<', before)).execute()
}

/** Serialises the reports of a user until the transaction ends. */
export async function lockReporter(trx: Transaction<Database>, reporterId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('report'), hashtext(${reporterId}))`.execute(trx)
}

/** When a user's last reports since `since` were made, newest first, at most `limit`. */
export async function reportTimesSince(
  trx: Transaction<Database>,
  reporterId: string,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await trx
    .selectFrom('messageReports')
    .select('reportedAt')
    .where('reporterUserId', '=', reporterId)
    .where('reportedAt', '>', since)
    .orderBy('reportedAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ reportedAt }) => reportedAt)
}

/** Stores a report. */
export async function insertReport(
  trx: Transaction<Database>,
  report: Database['messageReports'],
): Promise<void> {
  await trx.insertInto('messageReports').values(report).execute()
}

/** The first reports of a case, oldest first. */
export const reportsOfCase = (
  db: Db<Database>,
  caseId: string,
  limit: number,
): Promise<Database['messageReports'][]> =>
  db
    .selectFrom('messageReports')
    .selectAll()
    .where('caseId', '=', caseId)
    .orderBy('reportedAt')
    .limit(limit)
    .execute()
