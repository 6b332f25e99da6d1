import type { ReactionCounts } from '@looptide/contracts/realtime'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { AiringsTable, Database } from '../../db/schema.ts'

export type StartedAiring = Pick<
  Insertable<AiringsTable>,
  'channelId' | 'seq' | 'airingId' | 'videoId' | 'startsAt' | 'title' | 'artistName'
> & { endsAt: Date }

/**
 * Stores an airing that has started, once, and ends the one before it: a programme that was cut short ends when the next one
 * starts. Events may come late, so the new one ends at the start of a later one that is stored.
 */
export async function insertAiring(trx: Transaction<Database>, airing: StartedAiring): Promise<void> {
  const { channelId, startsAt, endsAt } = airing
  await sql`
    update airings set ends_at = ${startsAt}
    where channel_id = ${channelId} and not is_counted and starts_at < ${startsAt} and ends_at > ${startsAt}`.execute(
    trx,
  )
  await trx
    .insertInto('airings')
    .values({
      ...airing,
      endsAt: sql<Date>`least(${endsAt}::timestamptz, (
        select min(starts_at) from airings where channel_id = ${channelId} and starts_at > ${startsAt}))`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type UncountedAiring = Pick<Selectable<AiringsTable>, 'channelId' | 'seq' | 'startsAt' | 'endsAt'>

/** A page of the airings that have started by an instant and are still counted, the newest ones first, after one of them. */
export function listUncounted(
  db: Db<Database>,
  { startedBy, after }: { startedBy: Date; after?: UncountedAiring | undefined },
  limit: number,
): Promise<UncountedAiring[]> {
  let query = db
    .selectFrom('airings')
    .select(['channelId', 'seq', 'startsAt', 'endsAt'])
    .where('isCounted', '=', false)
    .where('startsAt', '<=', startedBy)
  if (after !== undefined)
    query = query.where(sql<boolean>`(starts_at, channel_id) < (${after.startsAt}, ${after.channelId})`)
  return query.orderBy('startsAt', 'desc').orderBy('channelId', 'desc').limit(limit).execute()
}

/** The `seq` of the airing that reactions are to: its id changes when it is cut short. */
const seqOfReactions = sql<string>`split_part(g.airing_id, '.', 2)`

/** Joins and leaves of an airing without reports of any: 0 if its viewers were counted. */
const zeroIfWatched = sql`case when coalesce(c."viewersAtEnd", a.viewers_at_end) is not null then 0 end`

/** The joins and leaves that each gateway has reported for an airing: `{ gateway: [joins, leaves] }`. */
export type ReportedAttendance = Record<string, readonly [joins: number, leaves: number]>

/** New numbers of an airing. Undefined ones keep what is stored. */
export interface CountedAiring {
  channelId: string
  seq: number
  viewersAtStart?: number | undefined
  viewersAtEnd?: number | undefined
  messages?: number | undefined
  attendance?: ReportedAttendance | undefined
  /** Nothing is counted after this. */
  isCounted: boolean
}

/**
 * Stores what was counted, with the likes of the video, the reactions and the requests during the airing. A number of viewers at
 * the start stays once it is stored. Of the joins and leaves of a gateway the highest stay: they only grow. Replicas may store
 * at the same time.
 */
export async function saveAiringCounts(db: Db<Database>, counted: readonly CountedAiring[]): Promise<void> {
  await sql`
    update airings a set
      viewers_at_start = coalesce(a.viewers_at_start, c."viewersAtStart"),
      viewers_at_end = coalesce(c."viewersAtEnd", a.viewers_at_end),
      messages = coalesce(c.messages, a.messages),
      likes = (select count(*) from likes l
        where l.video_id = a.video_id and l.liked_at >= a.starts_at and l.liked_at < a.ends_at),
      reaction_count = (select coalesce(sum(g.total), 0) from reactions g
        where g.channel_id = a.channel_id and ${seqOfReactions} = a.seq::text),
      requests = (select count(*) from requests r
        where r.channel_id = a.channel_id and r.requested_at >= a.starts_at and r.requested_at < a.ends_at),
      (attendance, joins, leaves) = (
        select coalesce(jsonb_object_agg(gateway, jsonb_build_array(joins, leaves)), '{}'),
          coalesce(sum(joins), ${zeroIfWatched}), coalesce(sum(leaves), ${zeroIfWatched})
        from (
          select gateway, max((numbers->>0)::integer) as joins, max((numbers->>1)::integer) as leaves
          from (select * from jsonb_each(a.attendance) union all select * from jsonb_each(c.attendance))
            as reported (gateway, numbers)
          group by gateway) as newest),
      is_counted = c."isCounted"
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as c(
      "channelId" text, seq bigint, "viewersAtStart" integer, "viewersAtEnd" integer, messages integer,
      attendance jsonb, "isCounted" boolean)
    where a.channel_id = c."channelId" and a.seq = c.seq and not a.is_counted`.execute(db)
}

/** The reactions that one gateway has stored. */
interface GatewayPace {
  counts: ReactionCounts
  beganAt: Date
  pace: Record<string, ReactionCounts>
}

/** An airing with the request that it was, and the reactions of each gateway. */
export type AiringRow = Selectable<AiringsTable> & {
  reactions: readonly ReactionCounts[]
  userId: string | null
  handle: string | null
  showsRequests: boolean | null
}

const withFacts = (db: Db<Database>) =>
  db
    .selectFrom('airings as a')
    .leftJoin('requests as r', (join) =>
      join.onRef('r.channelId', '=', 'a.channelId').onRef('r.airingId', '=', 'a.airingId'),
    )
    .leftJoin('profiles as p', 'p.userId', 'r.userId')
    .selectAll('a')
    .select(['r.userId', 'p.handle', 'p.showsRequests'])
    .select(
      sql<readonly ReactionCounts[]>`coalesce((select jsonb_agg(g.counts) from reactions g
        where g.channel_id = a.channel_id and ${seqOfReactions} = a.seq::text), '[]')`.as('reactions'),
    )

/** An airing of a channel; undefined if audience did not run when it started. */
export const findAiring = (
  db: Db<Database>,
  channelId: string,
  seq: number,
): Promise<AiringRow | undefined> =>
  withFacts(db).where('a.channelId', '=', channelId).where('a.seq', '=', seq).executeTakeFirst()

/** The airings that started in [from, to), the oldest one first; one row more than `limit` if there is one. */
export const listAirings = (
  db: Db<Database>,
  channelId: string,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<AiringRow[]> =>
  withFacts(db)
    .where('a.channelId', '=', channelId)
    .where('a.startsAt', '>=', from)
    .where('a.startsAt', '<', to)
    .orderBy('a.startsAt')
    .limit(limit + 1)
    .execute()

/** When an airing started, and what each gateway has stored about the reactions to it; undefined without the airing. */
export async function findPace(
  db: Db<Database>,
  channelId: string,
  seq: number,
): Promise<{ startsAt: Date; gateways: GatewayPace[] } | undefined> {
  const airing = await db
    .selectFrom('airings')
    .select('startsAt')
    .where('channelId', '=', channelId)
    .where('seq', '=', seq)
    .executeTakeFirst()
  if (airing === undefined) return undefined
  const gateways = await db
    .selectFrom('reactions as g')
    .select(['g.counts', 'g.beganAt', 'g.pace'])
    .where('g.channelId', '=', channelId)
    .where(seqOfReactions, '=', String(seq))
    .execute()
  return { startsAt: airing.startsAt, gateways }
}

/** Deletes the airings that started before an instant. */
export async function deleteAiringsBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from airings where ctid = any(array(
      select ctid from airings where starts_at < ${before} limit ${limit}))`.execute(db),
  )
}

/** Deletes the airings of a channel. */
export async function deleteAiringsOf(db: Db<Database>, channelId: string): Promise<void> {
  await inBatches((limit) =>
    sql`delete from airings where ctid = any(array(
      select ctid from airings where channel_id = ${channelId} limit ${limit}))`.execute(db),
  )
}
