import { sql } from 'kysely'
import type { Store, Trx, VideoRow } from '../../db/schema.ts'
import type { DurationReport } from './agreed-duration.ts'

export interface Report {
  videoId: string
  channelId: string
  viewer: string
  reportedAt: Date
}

/** The video, locked: reports of one video are counted one after another. */
export async function lockVideo(trx: Trx, videoId: string): Promise<VideoRow | undefined> {
  return trx.selectFrom('videos').selectAll().where('id', '=', videoId).forNoKeyUpdate().executeTakeFirst()
}

/** One row per viewer; a repeated report is the same report again. */
export async function saveReport(
  trx: Trx,
  report: Report &
    ({ kind: 'error'; errorCode: number } | { kind: 'duration'; durationMs: number; network: string }),
): Promise<void> {
  const row = { errorCode: null, durationMs: null, network: null, ...report }
  const { channelId, errorCode, durationMs, network, reportedAt } = row
  await trx
    .insertInto('playbackReports')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['videoId', 'kind', 'viewer'])
        .doUpdateSet({ channelId, errorCode, durationMs, network, reportedAt }),
    )
    .execute()
}

/** How many viewers could not play a video since `since`. */
export async function countErrors(trx: Trx, videoId: string, since: Date): Promise<number> {
  const row = await trx
    .selectFrom('playbackReports')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('videoId', '=', videoId)
    .where('kind', '=', 'error')
    .where('reportedAt', '>=', since)
    .executeTakeFirstOrThrow()
  return row.count
}

/** How many videos other than this one a viewer could not play since `since`; counted up to `limit`. */
export async function countOthersOf(
  trx: Trx,
  viewer: string,
  videoId: string,
  since: Date,
  limit: number,
): Promise<number> {
  const rows = await trx
    .selectFrom('playbackReports')
    .select('videoId')
    .where('viewer', '=', viewer)
    .where('kind', '=', 'error')
    .where('reportedAt', '>=', since)
    .where('videoId', '!=', videoId)
    .limit(limit)
    .execute()
  return rows.length
}

/** How many videos are in quarantine since `since` or later; counted up to `limit`. */
export async function countQuarantined(trx: Trx, since: Date, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('videos')
    .select('id')
    .where('quarantinedAt', '>=', since)
    .limit(limit)
    .execute()
  return rows.length
}

/** The newest `limit` duration reports of a video, newest first; older ones are deleted. */
export async function keepNewestDurations(
  trx: Trx,
  videoId: string,
  limit: number,
): Promise<DurationReport[]> {
  const rows = await trx
    .selectFrom('playbackReports')
    .select(['viewer', 'network', 'durationMs'])
    .where('videoId', '=', videoId)
    .where('kind', '=', 'duration')
    .orderBy('reportedAt', 'desc')
    .execute()
  const surplus = rows.slice(limit).map(({ viewer }) => viewer)
  if (surplus.length > 0) {
    await trx
      .deleteFrom('playbackReports')
      .where('videoId', '=', videoId)
      .where('kind', '=', 'duration')
      .where('viewer', 'in', surplus)
      .execute()
  }
  return rows
    .slice(0, limit)
    .flatMap(({ network, durationMs }) =>
      network === null || durationMs === null ? [] : [{ network, durationMs }],
    )
}

export async function deleteErrors(trx: Trx, videoId: string): Promise<void> {
  await trx.deleteFrom('playbackReports').where('videoId', '=', videoId).where('kind', '=', 'error').execute()
}

export async function pruneReports(db: Store): Promise<void> {
  await sql`delete from playback_reports where reported_at < now() - interval '7 days'`.execute(db)
}

/** Puts a video into quarantine, or (null) takes it out. */
export async function setQuarantine(
  trx: Trx,
  videoId: string,
  quarantine: { at: Date; reason: string; channelId: string } | null,
): Promise<void> {
  await trx
    .updateTable('videos')
    .set({
      quarantinedAt: quarantine?.at ?? null,
      quarantineReason: quarantine?.reason ?? null,
      quarantineChannelId: quarantine?.channelId ?? null,
    })
    .where('id', '=', videoId)
    .execute()
}

/** Puts a video into another's places in all playlists; how many there were. */
export async function replaceInPlaylists(trx: Trx, videoId: string, replacementId: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('channelPlaylists')
    .set({ videoId: replacementId })
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export interface QuarantinedRow extends VideoRow {
  reports: number
  lastReportedAt: Date | null
}

/**
 * Videos that still are in the library, with what viewers said of them. Newest first, one row more than `limit` if
 * there is one. `before` is the last row of the page before.
 */
export async function listQuarantined(
  db: Store,
  before: { atMs: number; id: string } | null,
  limit: number,
): Promise<QuarantinedRow[]> {
  let query = db
    .selectFrom('videos')
    .selectAll('videos')
    .select([
      sql<number>`(select count(*) from playback_reports r
        where r.video_id = videos.id and r.kind = 'error')`.as('reports'),
      sql<Date | null>`(select max(r.reported_at) from playback_reports r
        where r.video_id = videos.id and r.kind = 'error')`.as('lastReportedAt'),
    ])
    .where('quarantinedAt', 'is not', null)
    .where('removedAt', 'is', null)
    .orderBy('quarantinedAt', 'desc')
    .orderBy('id')
    .limit(limit + 1)
  if (before !== null) {
    const at = new Date(before.atMs)
    query = query.where((where) =>
      where.or([
        where('quarantinedAt', '<', at),
        where.and([where('quarantinedAt', '=', at), where('id', '>', before.id)]),
      ]),
    )
  }
  return query.execute()
}
