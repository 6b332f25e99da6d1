import { MAX_TAKEOVER_MS, type PastTakeover, type ReturnPolicy } from '@looptide/contracts/http/takeovers'
import type { Airing } from '@looptide/planner/library'
import { sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import { playedMs } from '../db/played-ms.ts'
import type { Interrupted, Store, TakeoverItem, TakeoverRow, Trx } from '../db/schema.ts'

/** The takeover of a channel that has not ended at `nowMs` (epoch ms). */
export async function readTakeover(
  db: Store,
  channelId: string,
  nowMs: number,
): Promise<TakeoverRow | undefined> {
  return db
    .selectFrom('takeovers')
    .selectAll()
    .where('channelId', '=', channelId)
    .where((where) => where.or([where('endsAtMs', 'is', null), where('endsAtMs', '>', nowMs)]))
    .executeTakeFirst()
}

/** Marks a takeover as stopped, so that the next plan returns to the channel's own programming by this policy. */
export async function markStopped(trx: Trx, channelId: string, returnPolicy: ReturnPolicy): Promise<void> {
  await trx
    .updateTable('takeovers')
    .set({ isStopped: true, returnPolicy })
    .where('channelId', '=', channelId)
    .execute()
}

/** Stores a takeover. One that has ended is replaced; the caller has refused one that is on. */
export async function saveTakeover(
  trx: Trx,
  takeover: Omit<TakeoverRow, 'items' | 'interrupted' | 'isStopped'> & {
    items: TakeoverItem[]
    interrupted: Interrupted
  },
): Promise<void> {
  await deleteTakeover(trx, takeover.channelId)
  const { items, interrupted, ...values } = takeover
  await trx
    .insertInto('takeovers')
    .values({ ...values, items: JSON.stringify(items), interrupted: JSON.stringify(interrupted) })
    .execute()
}

/** Deletes the takeover of a channel, if there is one. */
export async function deleteTakeover(trx: Trx, channelId: string): Promise<void> {
  await trx.deleteFrom('takeovers').where('channelId', '=', channelId).execute()
}

/** A video as a takeover plays it. */
export interface TakeoverVideo {
  version: number
  /** The length that is played, in ms. */
  playedMs: number
}

/** The videos among `videoIds` that can be played. */
export async function readTakeoverVideos(
  db: Store,
  videoIds: readonly string[],
): Promise<Map<string, TakeoverVideo>> {
  const { rows } = await sql<TakeoverVideo & { id: string }>`
    select v.id, v.version, ${playedMs} as played_ms from videos v
    where v.id = any(${[...videoIds]}::uuid[]) and ${isPlayable}`.execute(db)
  return new Map(rows.map(({ id, ...video }) => [id, video]))
}

/** The videos that have started on a channel in [fromMs, toMs), in order. */
export async function readAired(
  db: Store,
  channelId: string,
  fromMs: number,
  toMs: number,
): Promise<Airing[]> {
  return db
    .selectFrom('airLog')
    .select(['videoId', 'startedAtMs as startsAtMs', 'endedAtMs as endsAtMs'])
    .where('channelId', '=', channelId)
    .where('startedAtMs', '>=', fromMs)
    .where('startedAtMs', '<', toMs)
    .orderBy('startedAtMs')
    .execute()
}

/** Takeovers read at most. */
const MAX_PAST = 200

/** The newest takeovers of the air log that were on in [fromMs, toMs), as far as they had aired by `toMs`, in order. */
export async function readPastTakeovers(
  db: Store,
  { channelId, fromMs, toMs }: { channelId: string; fromMs: number; toMs: number },
): Promise<PastTakeover[]> {
  // A programme of a takeover is at most as long as one.
  const { rows } = await sql<PastTakeover>`
    with aired as (
      select started_at_ms, least(ended_at_ms, ${toMs}) as ended_at_ms, reason #>> '{takeover,title}' as title
      from air_log
      where channel_id = ${channelId} and started_at_ms >= ${fromMs - MAX_TAKEOVER_MS} and started_at_ms < ${toMs}
    ), compared as (
      select *, lag(title) over times is distinct from title or lag(ended_at_ms) over times < started_at_ms as is_first
      from aired window times as (order by started_at_ms)
    ), numbered as (
      select *, count(*) filter (where is_first) over (order by started_at_ms) as number from compared
    )
    select title, min(started_at_ms) as starts_at_ms, max(ended_at_ms) as ends_at_ms
    from numbered where title is not null
    group by number, title having max(ended_at_ms) > ${fromMs}
    order by 2 desc limit ${MAX_PAST}`.execute(db)
  return rows.toReversed()
}
