import type { Currency } from '@looptide/fairness/ranking'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Expression, type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, RequestsTable, StoredState } from '../../db/schema.ts'

/** A request with the handle of its requester. */
export type RequestRow = Selectable<RequestsTable> & { handle: string | null; showsRequests: boolean | null }

/** All columns of requests, with the handles of their requesters. */
export const withHandle = (db: Db<Database>) =>
  db
    .selectFrom('requests as r')
    .leftJoin('profiles as p', 'p.userId', 'r.userId')
    .selectAll('r')
    .select(['p.handle', 'p.showsRequests'])

/** Whether it is certain that a request will be aired. */
const isDecided = (requestId: Expression<string>) =>
  sql<boolean>`exists (select from decisions d where d.request_id = ${requestId})`

/** Whether it is certain that the request with this id will be aired. */
export async function isRequestDecided(trx: Transaction<Database>, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('requests')
    .select((eb) => isDecided(eb.ref('requests.id')).as('isDecided'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.isDecided ?? false
}

/** The place in the list of waiting requests after which a page begins. */
export interface ListPosition {
  /** Null after the planned ones. */
  plannedAt: Date | null
  /** Null after the pinned ones. */
  pinnedAt: Date | null
  rank: number
  id: string
}

/** A time in the order of the index `requests_listed`, in which those that are null come last. */
const orNever = (time: Expression<unknown>) => sql`coalesce(${time}::timestamptz, 'infinity'::timestamptz)`

/**
 * A page of a channel's waiting requests, or of those of one video: those that are planned, by their times; then pinned ones; then in the order in
 * which they would be aired, and new ones that have no place in it yet. The plan alone says what is expected: it follows a
 * pin, a vote or a new request only when the scheduler has planned again, within seconds. One row more than `limit` if there
 * is one. A request whose place changes while pages are read may be on two of them, or on none.
 */
export async function listWaiting(
  db: Db<Database>,
  channelId: string,
  { after, videoId, limit }: { after: ListPosition | null; videoId?: string | undefined; limit: number },
): Promise<RequestRow[]> {
  return withHandle(db)
    .where('r.channelId', '=', channelId)
    .where('r.state', '=', 'waiting')
    .$if(videoId !== undefined, (query) => query.where('r.videoId', '=', videoId ?? ''))
    .where(
      after === null
        ? sql.lit(true)
        : sql<boolean>`(${orNever(sql.ref('r.plannedAt'))}, ${orNever(sql.ref('r.pinnedAt'))}, r.rank, r.id) >
            (${orNever(sql`${after.plannedAt}`)}, ${orNever(sql`${after.pinnedAt}`)}, ${after.rank}::integer,
              ${after.id}::uuid)`,
    )
    .orderBy(orNever(sql.ref('r.plannedAt')))
    .orderBy(orNever(sql.ref('r.pinnedAt')))
    .orderBy('r.rank')
    .orderBy('r.id')
    .limit(limit + 1)
    .execute()
}

/** A request in any state. */
export const findRequest = (db: Db<Database>, id: string): Promise<RequestRow | undefined> =>
  withHandle(db).where('r.id', '=', id).executeTakeFirst()

/** Stores a new request. Fails if the user's one for the same video waits already. */
export async function insertRequest(
  trx: Transaction<Database>,
  request: Insertable<RequestsTable>,
): Promise<void> {
  await trx.insertInto('requests').values(request).execute()
}

/** Locks a request: `share` keeps it from changing, `update` is for the one who changes it. */
export const lockRequest = (
  trx: Transaction<Database>,
  id: string,
  strength: 'share' | 'update',
): Promise<Selectable<RequestsTable> | undefined> => {
  const found = trx.selectFrom('requests').selectAll().where('id', '=', id)
  return (strength === 'share' ? found.forShare() : found.forUpdate()).executeTakeFirst()
}

/** What only waiting requests have. */
const NOT_WAITING = { pinnedAt: null, plannedAt: null, blockedRule: null, blockedUntil: null } as const

/** Ends a waiting request. */
export async function finishRequest(
  trx: Transaction<Database>,
  id: string,
  end: {
    state: Exclude<StoredState, 'waiting'>
    reason: string | null
    finishedAt: Date
    endedByStaff: boolean
  },
): Promise<void> {
  await trx
    .updateTable('requests')
    .set({ ...end, ...NOT_WAITING })
    .where('id', '=', id)
    .execute()
}

/** Ends a request, in any state, because it is on the air. */
export async function airRequest(
  trx: Transaction<Database>,
  id: string,
  airing: { airedAt: Date; airingId: string; currency: Currency | null; durationMs: number },
): Promise<void> {
  await trx
    .updateTable('requests')
    .set({
      ...{ ...airing, ...NOT_WAITING, reason: null, endedByStaff: false },
      ...{ state: 'aired', finishedAt: airing.airedAt },
    })
    .where('id', '=', id)
    .execute()
}

/** When the waiting requests of a channel are planned, and which rules forbid others at present. */
interface Plan {
  planned: readonly { requestId: string; startsAtMs: number }[]
  blocked: readonly { requestId: string; rule: string; untilMs: number | null }[]
}

/** A request that is planned for another time has moved if it is at least this far from the one before, in ms. */
const MOVED_MS = 60_000

/** Stores a plan. Returns the requests whose times have changed. */
export async function setPlanned(
  trx: Transaction<Database>,
  channelId: string,
  { planned, blocked }: Plan,
): Promise<{ id: string; isPlanned: boolean }[]> {
  const { rows } = await sql<{ id: string; isPlanned: boolean; isMoved: boolean }>`
    with given as (
      select r.id, r.planned_at as before, to_timestamp(p."startsAtMs" / 1000.0) as planned_at, b.rule,
        to_timestamp(b."untilMs" / 1000.0) as until
      from requests r
      left join json_to_recordset(${JSON.stringify(planned)}::json) as p ("requestId" uuid, "startsAtMs" bigint)
        on p."requestId" = r.id
      left join json_to_recordset(${JSON.stringify(blocked)}::json)
        as b ("requestId" uuid, rule text, "untilMs" bigint) on b."requestId" = r.id
      where r.channel_id = ${channelId} and r.state = 'waiting'
      order by r.id for update of r
    )
    update requests r set planned_at = g.planned_at, blocked_rule = g.rule, blocked_until = g.until,
      moved_from = case
        when g.before is null or abs(extract(epoch from g.planned_at - g.before) * 1000) < ${MOVED_MS} then r.moved_from
        else g.before end
    from given g
    where r.id = g.id and (r.planned_at, r.blocked_rule, r.blocked_until) is distinct from
      (g.planned_at, g.rule, g.until)
    returning r.id, g.planned_at is not null as is_planned, g.planned_at is distinct from g.before as is_moved`.execute(
    trx,
  )
  return rows.filter(({ isMoved }) => isMoved)
}

/** Deletes those of these waiting requests whose account was deleted. */
export async function deleteForgotten(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  await sql`delete from requests
    where id = any(${[...ids]}::uuid[]) and state = 'waiting' and user_id is null`.execute(trx)
}

/** Refuses up to `limit` of the waiting requests of these videos, or with these ids, on all channels. Returns them. */
export async function refuseWaiting(
  trx: Transaction<Database>,
  { by, ids }: { by: 'id' | 'videoId'; ids: readonly string[] },
  { reason, finishedAt, limit }: { reason: string; finishedAt: Date; limit: number },
): Promise<{ id: string; channelId: string }[]> {
  const { rows } = await sql<{ id: string; channelId: string }>`
    update requests set state = 'refused', reason = ${reason}, finished_at = ${finishedAt}, pinned_at = null,
      planned_at = null, blocked_rule = null, blocked_until = null
    where id = any(array(
      select id from requests where ${sql.ref(by)} = any(${[...ids]}::uuid[]) and state = 'waiting'
      order by id limit ${limit} for update))
    returning id, channel_id`.execute(trx)
  return rows
}

/** What requests show of a video, as an event says it. */
export interface ChangedVideo {
  id: string
  title: string
  artistName: string
  /** Null: the one from before stays. */
  thumbnailUrl: string | null
  durationMs: number
}

/**
 * Changes the waiting requests of videos, on all channels, unless an event with a higher `version` has changed them. Returns
 * the channels of those that are different now.
 */
export async function updateVideos(
  trx: Transaction<Database>,
  videos: readonly ChangedVideo[],
  version: number,
): Promise<string[]> {
  const { rows } = await sql<{ channelId: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(videos)}::json)
        as (id uuid, title text, "artistName" text, "thumbnailUrl" text, "durationMs" integer)
    ), found as (
      select r.id from requests r
      where r.video_id = any(${videos.map(({ id }) => id)}::uuid[]) and r.state = 'waiting' and r.video_version < ${version}
      order by r.id for update
    ), changed as (
      update requests r set title = g.title, artist_name = g."artistName", duration_ms = g."durationMs",
        thumbnail_url = coalesce(g."thumbnailUrl", r.thumbnail_url), video_version = ${version}
      from found f, given g where r.id = f.id and g.id = r.video_id
      returning r.channel_id
    )
    select distinct channel_id from changed`.execute(trx)
  return rows.map(({ channelId }) => channelId)
}

/** Pins a request at this time; null unpins it. */
export async function setPinned(
  trx: Transaction<Database>,
  id: string,
  pinnedAt: Date | null,
): Promise<void> {
  await trx.updateTable('requests').set({ pinnedAt }).where('id', '=', id).execute()
}

/** Deletes a user's waiting requests, with their votes, except decided ones, which will be aired. Returns them. */
export async function deleteWaitingOf(
  trx: Transaction<Database>,
  userId: string,
): Promise<{ id: string; channelId: string }[]> {
  return trx
    .deleteFrom('requests')
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where((eb) => eb.not(isDecided(eb.ref('requests.id'))))
    .returning(['id', 'channelId'])
    .execute()
}

/** Removes a user from their finished requests, in batches. */
export async function forgetRequester(trx: Transaction<Database>, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update requests set user_id = null where id = any(array(
      select id from requests where user_id = ${userId} limit ${limit}))`.execute(trx),
  )
}

/** Deletes requests that were finished before `before`, in batches. */
export async function deleteFinishedBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from requests where id = any(array(
      select id from requests where finished_at < ${before} limit ${limit}))`.execute(db),
  )
}
