import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import { type Selectable, sql } from 'kysely'
import type { RequestPlansTable, Store, Trx } from '../db/schema.ts'

export type RequestPlanRow = Selectable<RequestPlansTable>

/** What was last published of a channel's requests; undefined if it has none. */
export function findRequestPlan(db: Store, channelId: string): Promise<RequestPlanRow | undefined> {
  return db.selectFrom('requestPlans').selectAll().where('channelId', '=', channelId).executeTakeFirst()
}

/** Stores what is published of a channel's requests. The caller holds the channel's lock. */
export async function saveRequestPlan(trx: Trx, { body, ...plan }: RequestPlanRow): Promise<void> {
  const values = { ...plan, body: JSON.stringify(body) }
  await trx
    .insertInto('requestPlans')
    .values(values)
    .onConflict((conflict) => conflict.column('channelId').doUpdateSet(values))
    .execute()
}

/** Deletes what is stored of a channel's requests. */
export async function deleteRequestPlan(trx: Trx, channelId: string): Promise<void> {
  await trx.deleteFrom('requestPlans').where('channelId', '=', channelId).execute()
}

/** The channels led by this process of which a request must be decided at `nowMs` (epoch ms). */
export async function findDueDecisions(db: Store, leader: string, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('requestPlans')
    .innerJoin('channels', 'channels.id', 'requestPlans.channelId')
    .select('requestPlans.channelId')
    .where('decideAtMs', '<=', nowMs)
    .where('leader', '=', leader)
    .orderBy('decideAtMs')
    .limit(1000)
    .execute()
  return rows.map(({ channelId }) => channelId)
}

/** The first `limit` programmes of a channel that are requests and have not started, in order. */
export async function plannedRequests(
  db: Store,
  channelId: string,
  limit: number,
): Promise<{ startsAtMs: number; request: ProgrammeRequest }[]> {
  const { rows } = await sql<{ startsAtMs: number; request: ProgrammeRequest }>`
    select p.starts_at_ms, p.reason->'request' as request
    from programmes p join channels c on c.id = p.channel_id
    where p.channel_id = ${channelId} and p.seq > c.aired_seq and p.reason ? 'request'
    order by p.seq limit ${limit}`.execute(db)
  return rows
}

/** A programme that is a request. `isBefore`: it is before the plan. */
interface RequestProgramme {
  request: ProgrammeRequest
  videoId: string
  startsAtMs: number
  isBefore: boolean
}

/** Time (ms) before the last start on a channel from which aired requests are left out, while audience publishes no queue. */
const TAKEN_MS = 24 * 3_600_000

/** The programmes that are requests, in order: those before a plan, and those in it that are decided. */
export async function readRequestProgrammes(
  db: Store,
  channelId: string,
  seq: number,
  decidedUntilMs: number,
): Promise<RequestProgramme[]> {
  const { rows } = await sql<RequestProgramme>`
    select reason->'request' as request, video_id, started_at_ms as starts_at_ms, true as is_before
    from air_log
    where channel_id = ${channelId} and reason ? 'request' and started_at_ms >= (
      select max(started_at_ms) - ${TAKEN_MS} from air_log where channel_id = ${channelId})
    union all
    select p.reason->'request', p.video_id, p.starts_at_ms, p.seq < ${seq}
    from programmes p join channels c on c.id = p.channel_id
    where p.channel_id = ${channelId} and p.seq > c.aired_seq and p.reason ? 'request'
      and (p.seq < ${seq} or p.starts_at_ms < ${decidedUntilMs})
    order by starts_at_ms`.execute(db)
  return rows
}
