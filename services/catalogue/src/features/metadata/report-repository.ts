import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

/** Counts a report that players on a channel could not play a video; the reason and time of the last one are kept. */
export async function countReport(
  db: Queries,
  report: { videoId: string; channelId: string; reason: string; reportedAt: Date },
): Promise<void> {
  const { reason, reportedAt } = report
  await db
    .insertInto('videoReports')
    .values(report)
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'channelId']).doUpdateSet({
        reason,
        reportedAt,
        reportCount: sql<number>`video_reports.report_count + 1`,
      }),
    )
    .execute()
}

/** Deletes the reports of a channel, in batches. */
export async function deleteReportsOfChannel(db: Queries, channelId: string): Promise<void> {
  await inBatches((limit) =>
    sql`delete from video_reports where ctid = any(array(
      select ctid from video_reports where channel_id = ${channelId} limit ${limit}))`.execute(db),
  )
}
