import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import { sql } from 'kysely'
import type { ChannelRow, ProgrammeRow, Store, Trx } from '../db/schema.ts'
import type { PlannedProgramme } from './programming.ts'

// SQL of the timeline. Every writer holds the lock of `lockChannel`.

/** The channel, locked until the transaction ends. The lock allows one writer at a time, across processes. */
export async function lockChannel(trx: Trx, id: string): Promise<ChannelRow | undefined> {
  return trx.selectFrom('channels').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** The channels of `ids` that no other transaction has locked, by id. Locks them. */
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

/** Changes a channel that the transaction has locked. */
export async function updateChannel(
  trx: Trx,
  id: string,
  change: Partial<Omit<ChannelRow, 'id' | 'createdAt' | 'createdBy'>>,
): Promise<void> {
  await trx.updateTable('channels').set(change).where('id', '=', id).execute()
}

/** A channel's programmes from `fromSeq`, in order. */
export async function programmesFrom(db: Store, channelId: string, fromSeq: number): Promise<ProgrammeRow[]> {
  return db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('seq', '>=', fromSeq)
    .orderBy('seq')
    .execute()
}

/** A channel's programmes with `fromSeq` ≤ seq ≤ `toSeq`, in order. */
export async function programmesIn(
  db: Store,
  channelId: string,
  fromSeq: number,
  toSeq: number,
): Promise<ProgrammeRow[]> {
  if (fromSeq > toSeq) return []
  return db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channelId)
    .where((where) => where.between('seq', fromSeq, toSeq))
    .orderBy('seq')
    .execute()
}

/** A channel's programmes that overlap [fromMs, toMs), in order. */
export async function programmesOverlapping(
  db: Store,
  channelId: string,
  fromMs: number,
  toMs: number,
): Promise<ProgrammeRow[]> {
  if (fromMs >= toMs) return []
  return db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channelId)
    .where(sql<boolean>`int8range(starts_at_ms, ends_at_ms) && int8range(${fromMs}, ${toMs})`)
    .orderBy('seq')
    .execute()
}

/** The last programme that must not change: it is on the air, or starts so soon that players have loaded it. */
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

/** Writes consecutive programmes. The first one follows the stored ones, or is the channel's first (`head`). */
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
    insert into programmes (channel_id, seq, prev_seq, round_seq, kind, item_id, video_id, video_version, version,
                            starts_at_ms, ends_at_ms, offset_ms, reason)
    select ${channelId}, p.seq, p.prev_seq, p.round_seq, p.kind, p.item_id, p.video_id, p.video_version, ${version},
           p.starts_at_ms, p.ends_at_ms, p.offset_ms, p.reason
    from unnest(
      ${programmes.map((p) => p.seq)}::bigint[], ${prevSeqs}::bigint[],
      ${programmes.map((p) => p.cycleSeq)}::bigint[], ${programmes.map((p) => p.kind)}::text[],
      ${programmes.map((p) => p.itemId)}::uuid[], ${programmes.map((p) => p.videoId)}::uuid[],
      ${programmes.map((p) => p.videoVersion)}::bigint[], ${programmes.map((p) => p.startsAtMs)}::bigint[],
      ${programmes.map((p) => p.endsAtMs)}::bigint[], ${programmes.map((p) => p.offsetMs)}::integer[],
      ${programmes.map((p) => (p.reason === null ? null : JSON.stringify(p.reason)))}::jsonb[]
    ) as p (seq, prev_seq, round_seq, kind, item_id, video_id, video_version, starts_at_ms, ends_at_ms,
          offset_ms, reason)`.execute(trx)
}

/** Deletes a channel's programmes from a sequence number on. */
export async function deleteProgrammesFrom(trx: Trx, channelId: string, fromSeq: number): Promise<void> {
  await trx.deleteFrom('programmes').where('channelId', '=', channelId).where('seq', '>=', fromSeq).execute()
}

/** Changes a programme in place: its end, or the version of its video. */
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

/** Changes the requests of programmes in place, without a new version: clients do not receive them. */
export async function changeRequests(
  trx: Trx,
  channelId: string,
  changed: readonly { seq: number; request: ProgrammeRequest }[],
): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update programmes p set reason = jsonb_set(p.reason, '{request}', c.request)
    from unnest(${changed.map(({ seq }) => seq)}::bigint[],
      ${changed.map(({ request }) => JSON.stringify(request))}::jsonb[]) as c (seq, request)
    where p.channel_id = ${channelId} and p.seq = c.seq`.execute(trx)
}

/** Deletes programmes that ended before `beforeMs`; the oldest remaining one becomes the channel's first. */
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
  const deleted = await trx
    .deleteFrom('programmes')
    .where('channelId', '=', channel.id)
    .where('seq', '<', oldest.seq)
    .returning('seq')
    .execute()
  if (deleted.length === 0) return
  await trx
    .updateTable('programmes')
    .set({ prevSeq: null })
    .where('channelId', '=', channel.id)
    .where('seq', '=', oldest.seq)
    .execute()
}

/** The item of the last programme of a timeline. */
export async function lastItem(
  db: Store,
  channel: Pick<ChannelRow, 'id' | 'nextSeq'>,
): Promise<{ itemId: string | null } | undefined> {
  return db
    .selectFrom('programmes')
    .select('itemId')
    .where('channelId', '=', channel.id)
    .where('seq', '=', channel.nextSeq - 1)
    .executeTakeFirst()
}

/** The current version of a video; 0 for a card, which has none. */
export async function findVideoVersion(db: Store, videoId: string | null): Promise<number> {
  if (videoId === null) return 0
  const { version } = await db
    .selectFrom('videos')
    .select('version')
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  return version
}
