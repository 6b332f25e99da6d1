import { sql } from 'kysely'
import type { ChannelRow, ProgrammeRow, Store, VideoRow } from '../db/schema.ts'

/** How far a process has read a channel's timeline. */
export interface Mark {
  channelId: string
  version: number
  nextSeq: number
}

export async function readChannels(db: Store, ids: readonly string[] | undefined): Promise<ChannelRow[]> {
  const query = db.selectFrom('channels').selectAll()
  if (ids === undefined) return query.execute()
  return query.where('id', '=', sql<string>`any(${ids})`).execute()
}

/** All programmes from the first one on that is newer than the mark: replaced, added or changed. */
export async function readProgrammesSince(db: Store, marks: readonly Mark[]): Promise<ProgrammeRow[]> {
  const rows = await sql<ProgrammeRow>`
    select p.*
    from unnest(${marks.map((mark) => mark.channelId)}::text[], ${marks.map((mark) => mark.version)}::bigint[],
                ${marks.map((mark) => mark.nextSeq)}::bigint[]) as known (channel_id, version, next_seq)
    cross join lateral (
      select min(q.seq) as seq from programmes q
      where q.channel_id = known.channel_id and (q.version > known.version or q.seq >= known.next_seq)
    ) first
    join programmes p on p.channel_id = known.channel_id and p.seq >= first.seq
    order by p.channel_id, p.seq`.execute(db)
  return rows.rows
}

export async function readVideos(db: Store, ids: readonly string[]): Promise<VideoRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('videos').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}
