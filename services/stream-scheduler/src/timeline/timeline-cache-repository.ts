import { sql } from 'kysely'
import type { ChannelRow, ProgrammeRow, Store, VideoRow } from '../db/schema.ts'

/** The position up to which a process has read a channel's timeline. */
export interface ReadPosition {
  channelId: string
  version: number
  nextSeq: number
}

/** These channels, or all of them, in no particular order. */
export async function readChannels(db: Store, ids: readonly string[] | undefined): Promise<ChannelRow[]> {
  const query = db.selectFrom('channels').selectAll()
  if (ids === undefined) return query.execute()
  return query.where('id', '=', sql<string>`any(${ids})`).execute()
}

/** For each position, all programmes from the first one that was added, replaced or changed since. */
export async function readProgrammesSince(
  db: Store,
  positions: readonly ReadPosition[],
): Promise<ProgrammeRow[]> {
  const rows = await sql<ProgrammeRow>`
    select p.*
    from unnest(${positions.map((position) => position.channelId)}::text[],
                ${positions.map((position) => position.version)}::bigint[],
                ${positions.map((position) => position.nextSeq)}::bigint[]) as known (channel_id, version, next_seq)
    cross join lateral (
      select min(q.seq) as seq from programmes q
      where q.channel_id = known.channel_id and (q.version > known.version or q.seq >= known.next_seq)
    ) first
    join programmes p on p.channel_id = known.channel_id and p.seq >= first.seq
    order by p.channel_id, p.seq`.execute(db)
  return rows.rows
}

/** Those of these videos that the projection has. */
export async function readVideos(db: Store, ids: readonly string[]): Promise<VideoRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('videos').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}
