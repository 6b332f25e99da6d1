import { sql } from 'kysely'
import type { ChannelRow, ProgrammeRow, Store, Trx } from '../db/schema.ts'
import type { PlannedProgramme } from './plan-timeline.ts'

/** SQL of the timeline. All that writes takes the lock of {@link lockChannel} first. */

/** The channel, locked until the transaction ends: one writer at a time, whichever process it is in. */
export async function lockChannel(trx: Trx, id: string): Promise<ChannelRow | undefined> {
  return trx.selectFrom('channels').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Those of `ids` that are not locked by somebody else, locked, in the order of their ids. */
export async function lockFreeChannels(trx: Trx, ids: readonly string[]): Promise<ChannelRow[]> {
  return trx
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
}

export async function updateChannel(
  trx: Trx,
  id: string,
  change: Partial<Omit<ChannelRow, 'id' | 'createdAt' | 'createdBy'>>,
): Promise<void> {
  await trx.updateTable('channels').set(change).where('id', '=', id).execute()
}

/** Programmes of a channel from `fromSeq` on, in order. */
export async function programmesFrom(db: Store, channelId: string, fromSeq: number): Promise<ProgrammeRow[]> {
  return db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('seq', '>=', fromSeq)
    .orderBy('seq')
    .execute()
}

/** The last programme that may not be changed any more: it is on the air, or so soon that players have it. */
export async function lastFixed(
  db: Store,
  channel: Pick<ChannelRow, 'id' | 'airedSeq'>,
  startsBeforeMs: number,
): Promise<ProgrammeRow | undefined> {
  return db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channel.id)
    .where((where) =>
      where.or([where('startsAtMs', '<=', startsBeforeMs), where('seq', '<=', channel.airedSeq)]),
    )
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Writes programmes that follow one another; the first follows `prevSeq`, or is the channel's first (null). */
export async function insertProgrammes(
  trx: Trx,
  channelId: string,
  version: number,
  first: 'head' | 'follows',
  programmes: readonly PlannedProgramme[],
): Promise<void> {
  if (programmes.length === 0) return
  const prevSeqs = programmes.map(({ seq }, index) => (index === 0 && first === 'head' ? null : seq - 1))
  await sql`
    insert into programmes (channel_id, seq, prev_seq, round_seq, item_id, video_id, video_version, version,
                            starts_at_ms, ends_at_ms)
    select ${channelId}, p.seq, p.prev_seq, p.round_seq, p.item_id, p.video_id, p.video_version, ${version},
           p.starts_at_ms, p.ends_at_ms
    from unnest(
      ${programmes.map((p) => p.seq)}::bigint[], ${prevSeqs}::bigint[],
      ${programmes.map((p) => p.roundSeq)}::bigint[], ${programmes.map((p) => p.itemId)}::uuid[],
      ${programmes.map((p) => p.videoId)}::uuid[], ${programmes.map((p) => p.videoVersion)}::bigint[],
      ${programmes.map((p) => p.startsAtMs)}::bigint[], ${programmes.map((p) => p.endsAtMs)}::bigint[]
    ) as p (seq, prev_seq, round_seq, item_id, video_id, video_version, starts_at_ms, ends_at_ms)`.execute(
    trx,
  )
}

export async function deleteProgrammesFrom(trx: Trx, channelId: string, fromSeq: number): Promise<void> {
  await trx.deleteFrom('programmes').where('channelId', '=', channelId).where('seq', '>=', fromSeq).execute()
}

export async function changeProgramme(
  trx: Trx,
  programme: Pick<ProgrammeRow, 'channelId' | 'seq'>,
  change: Partial<Pick<ProgrammeRow, 'endsAtMs' | 'videoVersion' | 'version'>>,
): Promise<void> {
  await trx
    .updateTable('programmes')
    .set(change)
    .where('channelId', '=', programme.channelId)
    .where('seq', '=', programme.seq)
    .execute()
}

/** Forgets what ended before `beforeMs` and makes the oldest that stays the chain's first link. */
export async function prunePast(trx: Trx, channel: ChannelRow, beforeMs: number): Promise<void> {
  const oldest = await trx
    .selectFrom('programmes')
    .select('seq')
    .where('channelId', '=', channel.id)
    .where((where) => where.or([where('endsAtMs', '>=', beforeMs), where('seq', '>', channel.airedSeq)]))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  const gone = await trx
    .deleteFrom('programmes')
    .where('channelId', '=', channel.id)
    .where('seq', '<', oldest.seq)
    .returning('seq')
    .execute()
  if (gone.length === 0) return
  await trx
    .updateTable('programmes')
    .set({ prevSeq: null })
    .where('channelId', '=', channel.id)
    .where('seq', '=', oldest.seq)
    .execute()
}

/** The items a round has shown: from the air log and, for what is not in it yet, from the timeline. */
export async function airedItems(
  db: Store,
  channelId: string,
  roundSeq: number,
  throughSeq: number,
): Promise<Set<string>> {
  const rows = await sql<{ itemId: string }>`
    select item_id from air_log where channel_id = ${channelId} and seq between ${roundSeq} and ${throughSeq}
    union
    select item_id from programmes where channel_id = ${channelId} and seq between ${roundSeq} and ${throughSeq}
  `.execute(db)
  return new Set(rows.rows.map((row) => row.itemId))
}

/**
 * The round at a timeline's end. For a shuffled loop its order and how much of it is laid out; in playlist order
 * there is nothing to keep, for the playlist says what comes after the last programme.
 */
export interface StoredRound {
  roundSeq: number
  itemIds: string[]
  nextPlace: number
}

export async function readRound(db: Store, channelId: string): Promise<StoredRound | undefined> {
  const { rows } = await sql<{ roundSeq: number; itemIds: string; nextPlace: number }>`
    select round_seq, array_to_string(item_ids, ',') as item_ids, next_place
    from loops where channel_id = ${channelId}`.execute(db)
  const row = rows[0]
  return row && { ...row, itemIds: row.itemIds === '' ? [] : row.itemIds.split(',') }
}

/** The item of a timeline's last programme. */
export async function lastItem(
  db: Store,
  channel: Pick<ChannelRow, 'id' | 'nextSeq'>,
): Promise<{ itemId: string; videoId: string; roundSeq: number } | undefined> {
  return db
    .selectFrom('programmes')
    .select(['itemId', 'videoId', 'roundSeq'])
    .where('channelId', '=', channel.id)
    .where('seq', '=', channel.nextSeq - 1)
    .executeTakeFirst()
}

export async function saveRound(trx: Trx, channelId: string, round: StoredRound): Promise<void> {
  await sql`
    insert into loops (channel_id, round_seq, item_ids, next_place)
    values (${channelId}, ${round.roundSeq}, ${`{${round.itemIds.join(',')}}`}::uuid[], ${round.nextPlace})
    on conflict (channel_id) do update
    set round_seq = excluded.round_seq, item_ids = excluded.item_ids, next_place = excluded.next_place`.execute(
    trx,
  )
}

/** As {@link saveRound} when only the place has moved: the order itself is not written again. */
export async function savePlace(trx: Trx, channelId: string, nextPlace: number): Promise<void> {
  await trx.updateTable('loops').set({ nextPlace }).where('channelId', '=', channelId).execute()
}
