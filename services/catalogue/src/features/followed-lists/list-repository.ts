import { type ListProblemCode, MAX_FOLLOWED_ITEMS } from '@looptide/contracts/http/followed-lists'
import { type Insertable, sql, type UpdateObject } from 'kysely'
import type { Database, FollowedListRow, Queries } from '../../db/schema.ts'

type ListTable = Database['followedLists']
type ListPatch = UpdateObject<Database, 'followedLists'>
interface Problem {
  code: ListProblemCode
  message: string
  continuesAt: Date | null
}

/** Time after which an unanswered request to the metadata worker is repeated, in minutes. */
const ANSWER_MINUTES = 10
/** Maximum number of stored items of a list: the current ones, and three times as many former ones. */
const MAX_STORED_ITEMS = 4 * MAX_FOLLOWED_ITEMS

/** All followed lists, oldest first. */
export function listLists(db: Queries): Promise<FollowedListRow[]> {
  return db.selectFrom('followedLists').selectAll().orderBy('createdAt').orderBy('id').execute()
}

/** Serialises the creation of lists, so that their number is limited. */
export async function lockLists(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.followed_lists'))`.execute(db)
}

/** Finds a list and locks it until the transaction ends. */
export async function lockList(db: Queries, id: string): Promise<FollowedListRow | undefined> {
  return db.selectFrom('followedLists').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Stores a followed list. Fails if the same playlist or channel is followed already. */
export async function insertList(db: Queries, row: Insertable<ListTable>): Promise<FollowedListRow> {
  return db.insertInto('followedLists').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes a followed list, which must exist. */
export async function patchList(db: Queries, id: string, patch: ListPatch): Promise<FollowedListRow> {
  return db
    .updateTable('followedLists')
    .set(patch)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds to the number of items that were new in a list, as of now. */
export async function countNewItems(db: Queries, list: FollowedListRow, count: number): Promise<void> {
  await patchList(db, list.id, { newCount: list.newCount + count, lastNewAt: sql<Date>`now()` })
}

/** Marks a list as requested: due again in {@link ANSWER_MINUTES} unless an answer arrives. */
export async function markRequested(db: Queries, id: string): Promise<FollowedListRow> {
  return patchList(db, id, {
    requestedAt: sql<Date>`now()`,
    nextCheckAt: sql<Date>`now() + make_interval(mins => ${ANSWER_MINUTES})`,
  })
}

/** Deletes a followed list with its remembered items. Returns its row; undefined if there was none. */
export async function deleteList(db: Queries, id: string): Promise<FollowedListRow | undefined> {
  return db.deleteFrom('followedLists').where('id', '=', id).returningAll().executeTakeFirst()
}

/**
 * Claims up to `limit` due lists, which are due again in {@link ANSWER_MINUTES} unless an answer arrives. A list whose
 * last request has no answer gets the problem `no_answer`. Skips lists that another replica is claiming.
 */
export async function takeDueLists(db: Queries, limit: number): Promise<FollowedListRow[]> {
  const isUnanswered = sql`l.requested_at is not null`
  const { rows } = await sql<FollowedListRow>`
    update followed_lists l set requested_at = now(),
      next_check_at = now() + make_interval(mins => ${ANSWER_MINUTES}),
      problem_code = case when ${isUnanswered} then 'no_answer' else l.problem_code end,
      problem_message = case when ${isUnanswered} then '' else l.problem_message end,
      problem_continues_at = case when ${isUnanswered} then null else l.problem_continues_at end,
      problem_since = case when ${isUnanswered} and l.problem_code is distinct from 'no_answer'
        then l.requested_at else l.problem_since end
    from (
      select id from followed_lists where not is_paused and next_check_at <= now()
      order by next_check_at limit ${limit} for update skip locked
    ) due
    where l.id = due.id
    returning l.*`.execute(db)
  return rows
}

/** Makes the lists due whose request may have been lost. */
export async function makeUnansweredDue(db: Queries): Promise<void> {
  await sql`
    update followed_lists set requested_at = null, next_check_at = now()
    where requested_at is not null and not is_paused`.execute(db)
}

/** Stores the items of a list and returns the new ones among them, in their order. */
export async function storeItems(
  db: Queries,
  listId: string,
  youtubeIds: readonly string[],
): Promise<string[]> {
  if (youtubeIds.length === 0) return []
  const ids = [...youtubeIds]
  await sql`
    update followed_items set seen_at = now()
    where list_id = ${listId}::uuid and youtube_id = any(${ids}::text[]) and seen_at < now() - interval '30 days'`.execute(
    db,
  )
  const { rows } = await sql<{ youtubeId: string }>`
    insert into followed_items (list_id, youtube_id)
    select ${listId}::uuid, youtube_id from unnest(${ids}::text[]) youtube_id
    on conflict do nothing returning youtube_id`.execute(db)
  const added = new Set(rows.map((row) => row.youtubeId))
  return ids.filter((id) => added.delete(id))
}

/** Deletes stored items beyond {@link MAX_STORED_ITEMS}: those that left the list first. */
export async function deleteOldItems(db: Queries, listId: string): Promise<void> {
  await sql`
    delete from followed_items where list_id = ${listId}::uuid and youtube_id = any(array(
      select youtube_id from followed_items where list_id = ${listId}::uuid
      order by seen_at desc, youtube_id offset ${MAX_STORED_ITEMS}))`.execute(db)
}

/** Stores the end of a successful check. */
export async function storeSuccess(
  db: Queries,
  list: FollowedListRow,
  reading: { etag: string | null; newestIds: string[]; isFull: boolean },
  checkMinutes: number,
): Promise<void> {
  await patchList(db, list.id, {
    ...answered(sql<Date>`now() + make_interval(mins => ${checkMinutes})`),
    etag: reading.etag,
    newestIds: reading.newestIds,
    ...(reading.isFull ? { fullyReadAt: sql<Date>`now()` } : {}),
    problemCode: null,
    problemMessage: null,
    problemSince: null,
    problemContinuesAt: null,
  })
}

/** Stores the end of a failed check. The list is checked again when YouTube can answer, if that is known. */
export async function storeFailure(
  db: Queries,
  list: FollowedListRow,
  problem: Problem,
  checkMinutes: number,
): Promise<void> {
  const isSame = list.problemCode === problem.code && list.problemSince !== null
  await patchList(db, list.id, {
    ...answered(problem.continuesAt ?? sql<Date>`now() + make_interval(mins => ${checkMinutes})`),
    problemCode: problem.code,
    problemMessage: problem.message,
    problemContinuesAt: problem.continuesAt,
    ...(isSame ? {} : { problemSince: sql<Date>`now()` }),
  })
}

const answered = (nextCheckAt: ListPatch['nextCheckAt']): ListPatch => ({
  requestedAt: null,
  checkedAt: sql<Date>`now()`,
  nextCheckAt,
})
