import type { ProblemCountry } from '@looptide/contracts/http/playback-problems'
import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { Store, Trx, VideoRow } from '../db/schema.ts'
import type { DurationReport } from './agreed-duration.ts'
import { problemCountries } from './problem-repository.ts'
import { EMBEDDING_ERRORS } from './report-rules.ts'

export interface Report {
  videoId: string
  channelId: string
  viewer: string
  /** ISO 3166-1 alpha-2; null if it is unknown. */
  country: string | null
  reportedAt: Date
}

/** Keeps a channel from being deleted until the transaction ends. False if it does not exist. */
export async function holdChannel(trx: Trx, channelId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('channels')
    .select('id')
    .where('id', '=', channelId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** The video, locked until the transaction ends: reports of one video are counted one after another. */
export async function lockVideo(trx: Trx, videoId: string): Promise<VideoRow | undefined> {
  return trx.selectFrom('videos').selectAll().where('id', '=', videoId).forNoKeyUpdate().executeTakeFirst()
}

/** Stores a report. A viewer has one row per video and kind, which a repeated report replaces. */
export async function saveReport(
  trx: Trx,
  report: Report &
    ({ kind: 'error'; errorCode: number } | { kind: 'duration'; durationMs: number; network: string }),
): Promise<void> {
  const row = { errorCode: null, durationMs: null, network: null, ...report }
  const { channelId, errorCode, durationMs, network, country, reportedAt } = row
  await trx
    .insertInto('playbackReports')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['videoId', 'kind', 'viewer'])
        .doUpdateSet({ channelId, errorCode, durationMs, network, country, reportedAt }),
    )
    .execute()
}

/**
 * The number of viewers who have reported an error of a video since `since`. Refusals to be embedded count once per
 * country, since the owner may have barred the video there alone.
 */
export async function countErrors(trx: Trx, videoId: string, since: Date): Promise<number> {
  const row = await trx
    .selectFrom('playbackReports')
    .select(
      sql<number>`count(distinct case when error_code = any(${[...EMBEDDING_ERRORS]}::int[]) then coalesce(country, viewer)
        else viewer end)`.as('count'),
    )
    .where('videoId', '=', videoId)
    .where('kind', '=', 'error')
    .where('reportedAt', '>=', since)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The number of other videos of which a viewer has reported errors since `since`, counted up to `limit`. */
export async function countOtherVideosReported(
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

/**
 * The latest duration report of each network for a video, newest first, of at most `limit` networks. All others are deleted,
 * so that many accounts of one network replace only that network's report. `viewer` has reported last.
 */
export async function keepLatestDurations(
  trx: Trx,
  videoId: string,
  viewer: string,
  limit: number,
): Promise<DurationReport[]> {
  const rows = await trx
    .selectFrom('playbackReports')
    .select(['viewer', 'network', 'durationMs'])
    .where('videoId', '=', videoId)
    .where('kind', '=', 'duration')
    .orderBy((eb) => eb('viewer', '=', viewer), 'desc')
    .orderBy('reportedAt', 'desc')
    .execute()
  const kept = new Map<string, { viewer: string; durationMs: number }>()
  for (const row of rows) {
    const { network, durationMs } = row
    if (network === null || durationMs === null || kept.has(network) || kept.size >= limit) continue
    kept.set(network, { viewer: row.viewer, durationMs })
  }
  if (kept.size < rows.length) {
    await trx
      .deleteFrom('playbackReports')
      .where('videoId', '=', videoId)
      .where('kind', '=', 'duration')
      .where(
        'viewer',
        'not in',
        [...kept.values()].map((report) => report.viewer),
      )
      .execute()
  }
  return [...kept].map(([network, { durationMs }]) => ({ network, durationMs }))
}

/** Deletes the reported errors of a video, so that it is counted from the start. Reported durations stay. */
export async function deleteErrors(trx: Trx, videoId: string): Promise<void> {
  await trx.deleteFrom('playbackReports').where('videoId', '=', videoId).where('kind', '=', 'error').execute()
}

/** Deletes reports that are older than a week, in batches. */
export async function pruneReports(db: Store): Promise<void> {
  await inBatches((limit) =>
    sql`delete from playback_reports where ctid = any(array(
      select ctid from playback_reports where reported_at < now() - interval '7 days' limit ${limit}))`.execute(
      db,
    ),
  )
}

/** Puts a video into quarantine; null releases it. */
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

/** Replaces a video in all playlists. Returns the number of items. */
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
  countries: ProblemCountry[]
  lastReportedAt: Date | null
}

/**
 * Quarantined videos that are in the library, with the number of error reports, newest first, with one row more than
 * `limit` if there is one. `before` is the last row of the previous page.
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
      problemCountries.as('countries'),
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
