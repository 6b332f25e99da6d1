import { FIRST_ID } from '@looptide/service-kit/db/ids'
import { type SqlBool, sql } from 'kysely'
import type { Queries, SubmissionRow, SubmissionStateName, VideoRow } from '../../db/schema.ts'
import { timeAndId } from '../shared/cursor-keys.ts'

/** Serialises submissions of a user until the transaction ends, so that concurrent requests cannot exceed the limits. */
export async function lockSubmitter(db: Queries, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.submitter'), hashtext(${userId}))`.execute(db)
}

/** Locks the submissions of these videos for share: their decisions cannot change until the transaction ends. */
export async function shareLockSubmissions(db: Queries, videoIds: readonly string[]): Promise<void> {
  if (videoIds.length === 0) return
  await db
    .selectFrom('submissions')
    .select('videoId')
    .where('videoId', '=', sql<string>`any(${[...videoIds]}::uuid[])`)
    .orderBy('videoId')
    .forShare()
    .execute()
}

/** Inserts undecided submissions. `followedList` is the title of the followed list that contains the videos. */
export async function insertSubmissions(
  db: Queries,
  videoIds: readonly string[],
  followedList: string | null = null,
): Promise<void> {
  if (videoIds.length === 0) return
  await db
    .insertInto('submissions')
    .values(videoIds.map((videoId) => ({ videoId, decidedBy: null, decidedAt: null, followedList })))
    .execute()
}

/** Stores that these submissions are in a followed list as well. */
export async function setFollowedList(
  db: Queries,
  videoIds: readonly string[],
  followedList: string,
): Promise<void> {
  if (videoIds.length === 0) return
  await db
    .updateTable('submissions')
    .set({ followedList })
    .where('videoId', '=', sql<string>`any(${[...videoIds]}::uuid[])`)
    .where('followedList', 'is', null)
    .execute()
}

/** Adds a user as submitter of these videos and returns the ids that the user had not submitted before. */
export async function insertSubmitter(
  db: Queries,
  userId: string,
  videoIds: readonly string[],
): Promise<string[]> {
  if (videoIds.length === 0) return []
  const { rows } = await sql<{ videoId: string }>`
    insert into submitters (user_id, video_id)
    select ${userId}::uuid, video_id from (
      select video_id from submissions where video_id = any(${[...videoIds]}::uuid[])
      order by video_id for key share
    ) existing
    on conflict do nothing
    returning video_id`.execute(db)
  return rows.map((row) => row.videoId)
}

/** The number of videos that the user has submitted since `since`. */
export async function countSubmitted(db: Queries, userId: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom('submitters')
    .select((eb) => eb.fn.countAll<number>().as('submitted'))
    .where('userId', '=', userId)
    .where('submittedAt', '>', since)
    .executeTakeFirstOrThrow()
  return row.submitted
}

/** The number of the user's videos that await a decision. */
export async function countUndecided(db: Queries, userId: string): Promise<number> {
  const row = await db
    .selectFrom('submitters')
    .innerJoin('submissions', 'submissions.videoId', 'submitters.videoId')
    .select((eb) => eb.fn.countAll<number>().as('undecided'))
    .where('submitters.userId', '=', userId)
    .where('submissions.state', '=', 'submitted')
    .executeTakeFirstOrThrow()
  return row.undecided
}

/** The videos among `videoIds` that the user has submitted. */
export async function submittedBy(
  db: Queries,
  userId: string,
  videoIds: readonly string[],
): Promise<Set<string>> {
  if (videoIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('submitters')
    .select('videoId')
    .where('userId', '=', userId)
    .where('videoId', '=', sql<string>`any(${[...videoIds]}::uuid[])`)
    .execute()
  return new Set(rows.map((row) => row.videoId))
}

/** A submission with its video, its first submitter, and the number of submitters. */
export interface SubmissionEntry {
  submission: SubmissionRow
  video: VideoRow
  submittedBy: string | null
  submitterCount: number
}

/** One page and one extra row: undecided submissions oldest first, decided ones by newest decision first. */
export async function listSubmissions(
  db: Queries,
  state: SubmissionStateName,
  limit: number,
  cursor: string | undefined,
): Promise<SubmissionEntry[]> {
  const isUndecided = state === 'submitted'
  let query = db
    .selectFrom('submissions')
    .selectAll()
    .where('state', '=', state)
    .limit(limit + 1)
  query = isUndecided
    ? query.orderBy('submittedAt').orderBy('videoId')
    : query.orderBy('decidedAt', 'desc').orderBy('videoId', 'desc')
  if (cursor !== undefined) {
    const { at, id } = timeAndId(cursor)
    query = query.where(
      isUndecided
        ? sql<SqlBool>`(submitted_at, video_id) > (${at}, ${id}::uuid)`
        : sql<SqlBool>`(decided_at, video_id) < (${at}, ${id}::uuid)`,
    )
  }
  const submissions = await query.execute()
  return withVideos(db, submissions)
}

async function withVideos(db: Queries, submissions: readonly SubmissionRow[]): Promise<SubmissionEntry[]> {
  if (submissions.length === 0) return []
  const ids = submissions.map((row) => row.videoId)
  const [videos, submitters] = await Promise.all([
    db.selectFrom('videos').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute(),
    sql<{ videoId: string; userId: string; submitterCount: number }>`
      select requested.video_id, first.user_id, first.submitter_count
      from unnest(${ids}::uuid[]) as requested (video_id)
      cross join lateral (
        select user_id, count(*) over () as submitter_count from submitters
        where video_id = requested.video_id order by submitted_at, user_id limit 1
      ) first`.execute(db),
  ])
  const videoOf = new Map(videos.map((row) => [row.id, row]))
  const firstOf = new Map(submitters.rows.map((row) => [row.videoId, row]))
  return submissions.flatMap((submission) => {
    const video = videoOf.get(submission.videoId)
    const first = firstOf.get(submission.videoId)
    if (video === undefined) return []
    const submitterCount = Number(first?.submitterCount ?? 0)
    return [{ submission, video, submittedBy: first?.userId ?? null, submitterCount }]
  })
}

/** The sort key of an entry, for the cursor. */
export const submissionCursor = ({ submission }: SubmissionEntry): [number, string] => {
  const { state, submittedAt, decidedAt, videoId } = submission
  return [(state === 'submitted' ? submittedAt : (decidedAt ?? submittedAt)).getTime(), videoId]
}

/** The number of submissions in this state, at most `limit`. */
export async function countSubmissions(
  db: Queries,
  state: SubmissionStateName,
  limit: number,
): Promise<number> {
  // The order makes the planner use the index: a sequential scan may find rows of a rare state only at the table's end.
  const counted = db
    .selectFrom('submissions')
    .select('videoId')
    .where('state', '=', state)
    .orderBy('submittedAt')
    .orderBy('videoId')
    .limit(limit)
  const row = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** Finds the submissions of these videos in one of `states` and locks them until the transaction ends. */
export function lockSubmissions(
  db: Queries,
  videoIds: readonly string[],
  states: readonly SubmissionStateName[],
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submissions')
    .selectAll()
    .where('videoId', '=', sql<string>`any(${[...videoIds]}::uuid[])`)
    .where('state', 'in', states)
    .orderBy('videoId')
    .forUpdate()
    .execute()
}

/** The current states of these submissions, by video id. */
export async function statesOf(
  db: Queries,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, SubmissionStateName>> {
  const rows = await db
    .selectFrom('submissions')
    .select(['videoId', 'state'])
    .where('videoId', '=', sql<string>`any(${[...videoIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ videoId, state }) => [videoId, state]))
}

/** Stores the decision about these videos. */
export async function decideSubmissions(
  db: Queries,
  videoIds: readonly string[],
  state: 'accepted' | 'rejected',
  decidedBy: string | null,
): Promise<void> {
  await db
    .updateTable('submissions')
    .set({ state, decidedBy, decidedAt: sql<Date>`now()` })
    .where('videoId', '=', sql<string>`any(${[...videoIds]}::uuid[])`)
    .execute()
}

/** Maximum submitters who are notified of a decision. Others see it when they load their submissions. */
const MAX_NOTIFIED = 1000

/** The first {@link MAX_NOTIFIED} submitters of each video, by video id. */
export async function submittersOf(db: Queries, videoIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ videoId: string; userIds: string[] }>`
    select requested.video_id, first.user_ids from unnest(${[...videoIds]}::uuid[]) as requested (video_id)
    cross join lateral (
      select array_agg(user_id) as user_ids from (
        select user_id from submitters where video_id = requested.video_id
        order by submitted_at, user_id limit ${MAX_NOTIFIED}
      ) earliest
    ) first
    where first.user_ids is not null`.execute(db)
  return new Map(rows.map((row) => [row.videoId, row.userIds]))
}

/** Sort key of submissions by decision, oldest first. */
export interface DecisionKey {
  /** As text: a scan starts at '-infinity', which a `Date` cannot hold. */
  decidedAt: string
  videoId: string
}

/** Returns and locks the next submissions after `after` that were rejected more than `days` ago, except those locked by a concurrent decision. */
export async function lockOldRejections(
  db: Queries,
  days: number,
  after: DecisionKey | undefined,
  limit: number,
): Promise<DecisionKey[]> {
  const { decidedAt, videoId } = after ?? { decidedAt: '-infinity', videoId: FIRST_ID }
  const { rows } = await sql<DecisionKey>`
    select decided_at::text as decided_at, video_id from submissions
    where state = 'rejected' and decided_at < now() - make_interval(days => ${days})
      and (decided_at, video_id) > (${decidedAt}::timestamptz, ${videoId}::uuid)
    order by decided_at, video_id limit ${limit} for update skip locked`.execute(db)
  return rows
}

/** Deletes those of the videos that are rejected and in no playlist. Returns their ids. */
export async function deleteRejected(db: Queries, videoIds: readonly string[]): Promise<string[]> {
  // A concurrent insert of one of these videos into a playlist waits for the lock and then fails to find the video.
  const locked = await sql<{ id: string }>`
    select id from videos where id = any(${[...videoIds]}::uuid[]) for update skip locked`.execute(db)
  const ids = locked.rows.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    delete from videos where id = any(${ids}::uuid[]) and review_state = 'rejected'
      and not exists (select from youtube_playlist_items i where i.video_id = videos.id)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}
