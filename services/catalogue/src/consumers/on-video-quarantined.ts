import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { countReport } from '../features/metadata/report-repository.ts'
import { cleanText } from '../features/videos/clean-text.ts'
import { metadataRequests, updatedEvents } from '../features/videos/video-events.ts'
import { findVideo, setPending } from '../features/videos/video-repository.ts'

/** Counts a video report of a channel and requests the video's metadata again: viewers' players could not play it. */
export async function onVideoQuarantined(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.video.quarantined.v1'>,
): Promise<void> {
  const { videoId, channelId } = envelope.data
  const reason = cleanText(envelope.data.reason, 200)
  if ((await findVideo(trx, videoId)) === undefined) return
  await countReport(trx, { videoId, channelId, reason, reportedAt: new Date(envelope.occurredAt) })
  const rows = await setPending(trx, [videoId])
  await appendEvents(trx, [...updatedEvents(rows), ...metadataRequests(rows, true)], envelope)
}
