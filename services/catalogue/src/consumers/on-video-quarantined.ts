import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import { sql } from 'kysely'
import type { CatalogueTrx } from '../db/schema.ts'
import { cleanText } from '../features/videos/clean-text.ts'
import { metadataRequests, updatedEvents } from '../features/videos/video-events.ts'
import { setPending } from '../features/videos/video-repository.ts'

/** Counts a video report of a channel and requests the video's metadata again: viewers' players could not play it. */
export async function onVideoQuarantined(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.video.quarantined.v1'>,
): Promise<void> {
  const { videoId, channelId } = envelope.data
  const reason = cleanText(envelope.data.reason, 200)
  const video = await trx.selectFrom('videos').select('id').where('id', '=', videoId).executeTakeFirst()
  if (video === undefined) return
  const reportedAt = new Date(envelope.occurredAt)
  await trx
    .insertInto('videoReports')
    .values({ videoId, channelId, reason, reportedAt })
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'channelId']).doUpdateSet({
        reason,
        reportedAt,
        reportCount: sql<number>`video_reports.report_count + 1`,
      }),
    )
    .execute()
  const rows = await setPending(trx, [videoId])
  await appendEvents(trx, [...updatedEvents(rows), ...metadataRequests(rows, true)], envelope)
}
