import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { AuditLogTable, Database } from '../../db/schema.ts'

export type AuditRow = Selectable<AuditLogTable> & { isPseudonymised: boolean }

export interface NewAuditEntry {
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
  id?: string
  adminUserId?: string
  action?: string
  targetUserId?: string
  /** True: only security events. False: only other entries. */
  security?: boolean
  since?: Date
  until?: Date
  /** Sort key of the last entry of the previous page. */
  after?: { createdAt: Date; id: string }
  limit: number
}

const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** Inserts an entry unless its id exists already. */
export async function insertEntry(trx: Transaction<Database>, entry: NewAuditEntry): Promise<void> {
  await trx
    .insertInto('auditLog')
    .values({ ...entry, details: json(entry.details), before: json(entry.before), after: json(entry.after) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Entries that match the filter, newest first. */
export const listEntries = (db: Db<Database>, filter: AuditFilter): Promise<AuditRow[]> =>
  selectEntries(db, filter)
    .select(
      sql<boolean>`(select d.salt is null from audit_chain c join audit_digests d on d.seq = c.seq
        where c.entry_id = audit_log.id)`.as('isPseudonymised'),
    )
    .execute()

/** Far more than there are actions. */
const MAX_ACTIONS = 1_000

/** All distinct actions of the log, by name. Takes one index lookup per action, independent of the number of entries. */
export async function listActions(db: Db<Database>): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive actions as (
      (select action from audit_log order by action limit 1)
      union all
      select (select l.action from audit_log l where l.action > a.action order by l.action limit 1)
      from actions a where a.action is not null
    )
    select action from actions where action is not null limit ${MAX_ACTIONS}`.execute(db)
  return rows.map(({ action }) => action)
}

/** Entries of each action among which the last one about a target is looked for. */
const MAX_RECENT = 200

/** The actor of the last of these actions since then, on the target if given. Undefined without an entry. */
export async function findLastEditor(
  db: Db<Database>,
  last: { actions: readonly string[]; targetId: string | undefined; since: Date },
): Promise<string | null | undefined> {
  const { rows } = await sql<{ adminUserId: string | null }>`
    select recent.admin_user_id
    from unnest(${last.actions}::text[]) as wanted (action) cross join lateral (
      select l.admin_user_id, l.target_id, l.created_at, l.id from audit_log l
      where l.action = wanted.action and l.created_at > ${last.since}
      order by l.created_at desc, l.id desc limit ${MAX_RECENT}
    ) recent
    where ${last.targetId ?? null}::text is null or recent.target_id = ${last.targetId ?? null}
    order by recent.created_at desc, recent.id desc limit 1`.execute(db)
  return rows[0]?.adminUserId
}

/** The number of entries that match the filter, at most its `limit`. */
export async function countEntries(db: Db<Database>, filter: AuditFilter): Promise<number> {
  const { count } = await db
    .selectFrom(selectEntries(db, filter).as('matches'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function selectEntries(db: Db<Database>, filter: AuditFilter) {
  let query = db
    .selectFrom('auditLog')
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.id !== undefined) query = query.where('id', '=', filter.id)
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

/** Admins with more than `limit` entries since `since`. Events about their high activity do not count. */
export async function findBusyAdmins(
  db: Db<Database>,
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

/** The last link of the log's hash chain. */
export interface ChainHead {
  seq: number
  /** SHA-256 in hex. */
  hash: string
}

/** The last link of the chain; sequence number 0 if the log is empty. */
export async function findChainHead(db: Db<Database>): Promise<ChainHead> {
  const { seq, hash } = await db
    .selectFrom('auditChain')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { seq, hash: hash.toString('hex') }
}
