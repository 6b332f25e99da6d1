import { SURROUNDING_MESSAGES } from '@looptide/contracts/http/chat-cases'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Database, ReportCasesTable } from '../../db/schema.ts'

/** A case with its author's handle and the number of its reports. */
export type CaseRow = Selectable<ReportCasesTable> & { authorHandle: string | null; reportCount: number }

const WAITING = ['open', 'appealed'] as const
const DONE = ['decided', 'closed'] as const

/** Stores the case of a message unless it has one, and returns its id and whether it is new. */
export async function openCase(
  trx: Transaction<Database>,
  values: Insertable<ReportCasesTable>,
): Promise<{ id: string; isNew: boolean }> {
  const inserted = await trx
    .insertInto('reportCases')
    .values(values)
    .onConflict((conflict) => conflict.column('messageId').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return { id: inserted.id, isNew: true }
  const { id } = await trx
    .selectFrom('reportCases')
    .select('id')
    .where('messageId', '=', values.messageId)
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

/** A case of these ids, also of decided ones; locked until the transaction ends with `forUpdate`. */
export async function findCase(
  db: Db<Database>,
  id: string,
  { forUpdate = false } = {},
): Promise<Selectable<ReportCasesTable> | undefined> {
  const query = db.selectFrom('reportCases').selectAll().where('id', '=', id)
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst()
}

/** A case as moderators see it. */
export const findCaseRow = (db: Db<Database>, id: string): Promise<CaseRow | undefined> =>
  caseRows(db).where('c.id', '=', id).executeTakeFirst()

/** Up to `limit` cases after a cursor, without those about messages of `exceptAuthor`: waiting ones oldest first, others newest first. */
export function listCases(
  db: Db<Database>,
  {
    state,
    exceptAuthor,
    after,
    limit,
  }: { state: 'waiting' | 'done' | 'all'; exceptAuthor: string; after?: string | undefined; limit: number },
): Promise<CaseRow[]> {
  const isWaiting = state === 'waiting'
  let query = caseRows(db)
    .where('c.authorUserId', '!=', exceptAuthor)
    .orderBy('c.id', isWaiting ? 'asc' : 'desc')
    .limit(limit)
  if (state !== 'all') query = query.where('c.state', 'in', isWaiting ? [...WAITING] : [...DONE])
  return (after === undefined ? query : query.where('c.id', isWaiting ? '>' : '<', after)).execute()
}

const caseRows = (db: Db<Database>) =>
  db
    .selectFrom('reportCases as c')
    .leftJoin('profiles as p', 'p.userId', 'c.authorUserId')
    .selectAll('c')
    .select('p.handle as authorHandle')
    .select(
      sql<number>`(select count(*)::integer from message_reports r where r.case_id = c.id)`.as('reportCount'),
    )

/** Number of waiting cases about messages of others than `exceptAuthor`, at most `limit`. */
export async function countWaiting(db: Db<Database>, exceptAuthor: string, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('reportCases')
    .select('id')
    .where('state', 'in', [...WAITING])
    .where('authorUserId', '!=', exceptAuthor)
    // In the order of the index, so that the plan does not read the whole table for rows that it expects anywhere.
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.length
}

/** Changes a case. */
export async function updateCase(
  trx: Transaction<Database>,
  id: string,
  change: Updateable<ReportCasesTable>,
): Promise<void> {
  await trx.updateTable('reportCases').set(change).where('id', '=', id).execute()
}

/** Up to `limit` decisions about messages of an author, newest first; `against`: only those that removed the message. */
export function decisionsAbout(
  db: Db<Database>,
  authorId: string,
  { before, limit, against }: { before?: string | undefined; limit: number; against: boolean },
): Promise<Selectable<ReportCasesTable>[]> {
  let query = db
    .selectFrom('reportCases')
    .selectAll()
    .where('authorUserId', '=', authorId)
    .where('decision', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
  if (against) query = query.where('decision', '!=', 'none')
  return (before === undefined ? query : query.where('id', '<', before)).execute()
}

/** A message as moderators see it beside a reported one. */
export interface SurroundingRow {
  id: string
  userId: string
  message: string
  createdAt: Date
  isDeleted: boolean
  handle: string | null
}

/** The messages of a channel around a sequence number that are still stored, oldest first, also removed ones. */
export const messagesAround = (db: Db<Database>, channelId: string, seq: number): Promise<SurroundingRow[]> =>
  db
    .selectFrom('liveChatMessages as m')
    .leftJoin('profiles as p', 'p.userId', 'm.userId')
    .select(['m.id', 'm.userId', 'm.message', 'm.createdAt', 'm.isDeleted', 'p.handle'])
    .where('m.channelId', '=', channelId)
    .where('m.seq', '>=', seq - SURROUNDING_MESSAGES)
    .where('m.seq', '<=', seq + SURROUNDING_MESSAGES)
    .orderBy('m.seq')
    .execute()

/** Shows a message again that `removedBy` has removed. False for any other message. */
export async function markShown(
  trx: Transaction<Database>,
  messageId: string,
  removedBy: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('liveChatMessages')
    .set({ isDeleted: false, removedAt: null, removedBy: null })
    .where('id', '=', messageId)
    .where('isDeleted', '=', true)
    .where('removedBy', '=', removedBy)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A ban of a user from the chat that is in force, other than the restriction `exceptId`. */
export const findOtherBan = (
  db: Db<Database>,
  userId: string,
  exceptId: string,
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('restrictions')
    .select('id')
    .where('userId', '=', userId)
    .where('restrictionType', '=', 'chat_banned')
    .where('isLifted', '=', false)
    .where('id', '!=', exceptId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
    .executeTakeFirst()

/** Deletes the cases opened before this id, with their reports, in batches. */
export async function deleteCasesBefore(
  db: Db<Database>,
  beforeId: string,
  signal?: AbortSignal,
): Promise<void> {
  await inBatches(
    (limit) =>
      sql`delete from report_cases where id = any(array(
        select id from report_cases where id < ${beforeId}::uuid order by id limit ${limit}))`.execute(db),
    signal,
  )
}
