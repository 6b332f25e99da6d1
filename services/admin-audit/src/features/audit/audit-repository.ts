import type { Db } from '@looptide/service-kit/db'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { AdminAuditDb, AuditLogTable } from '../../db/schema.ts'

export type AuditRow = Selectable<AuditLogTable>

export interface AuditLine {
  id: string
  adminUserId: string | null
  action: string
  targetType: string | null
  targetId: string | null
  targetUserId: string | null
  details: unknown
  before: unknown
  after: unknown
  correlationId: string | null
  createdAt: Date
}

export interface AuditFilter {
  adminUserId?: string
  action?: string
  targetUserId?: string
  /** Only security events, or only others. */
  security?: boolean
  since?: Date
  until?: Date
  /** Only lines that come after this one in the list. */
  after?: { createdAt: Date; id: string }
  limit: number
}

const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** The same line twice is one line. */
export async function insertLine(trx: Transaction<AdminAuditDb>, line: AuditLine): Promise<void> {
  await trx
    .insertInto('auditLog')
    .values({ ...line, details: json(line.details), before: json(line.before), after: json(line.after) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Newest first. */
export const listLines = (db: Db<AdminAuditDb>, filter: AuditFilter): Promise<AuditRow[]> =>
  selectLines(db, filter).execute()

/** Far more than there are kinds of deeds. */
const MOST_ACTIONS = 1_000

/** Every action of the log, by name: one look into the index for each, however many lines there are. */
export async function listActions(db: Db<AdminAuditDb>): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive actions as (
      (select action from audit_log order by action limit 1)
      union all
      select (select l.action from audit_log l where l.action > a.action order by l.action limit 1)
      from actions a where a.action is not null
    )
    select action from actions where action is not null limit ${MOST_ACTIONS}`.execute(db)
  return rows.map(({ action }) => action)
}

/** How many lines the filter leaves; counting ends at its `limit`. */
export async function countLines(db: Db<AdminAuditDb>, filter: AuditFilter): Promise<number> {
  const { lines } = await db
    .selectFrom(selectLines(db, filter).as('found'))
    .select(sql<number>`count(*)::int`.as('lines'))
    .executeTakeFirstOrThrow()
  return lines
}

function selectLines(db: Db<AdminAuditDb>, filter: AuditFilter) {
  let query = db
    .selectFrom('auditLog')
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.adminUserId !== undefined) query = query.where('adminUserId', '=', filter.adminUserId)
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.targetUserId !== undefined) query = query.where('targetUserId', '=', filter.targetUserId)
  if (filter.since !== undefined) query = query.where('createdAt', '>=', filter.since)
  if (filter.until !== undefined) query = query.where('createdAt', '<', filter.until)
  if (filter.security !== undefined) {
    const isSecurity = sql<boolean>`starts_with(action, 'security_')`
    query = query.where(filter.security ? isSecurity : sql<boolean>`not ${isSecurity}`)
  }
  if (filter.after !== undefined) {
    const { createdAt, id } = filter.after
    query = query.where(sql<boolean>`(created_at, id) < (${createdAt}, ${id}::uuid)`)
  }
  return query
}

/** Admins with more than `limit` lines since then; our own remarks on them are not their doing. */
export async function findBusyAdmins(
  db: Db<AdminAuditDb>,
  since: Date,
  limit: number,
): Promise<{ adminUserId: string; actions: number }[]> {
  const { rows } = await sql<{ adminUserId: string; actions: number }>`
    select admin_user_id, count(*)::int as actions
    from audit_log
    where created_at > ${since} and admin_user_id is not null
      and action <> 'security_high_activity_detected'
    group by admin_user_id
    having count(*) > ${limit}
    order by admin_user_id`.execute(db)
  return rows
}
