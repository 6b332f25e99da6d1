import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, VideoRow } from '../db/schema.ts'
import { cleanLinesOrNull, cleanText, TEXT_LIMITS } from '../features/videos/clean-text.ts'
import { updatedEvents } from '../features/videos/video-events.ts'
import { lockByYoutubeId, patchVideo, type VideoPatch } from '../features/videos/video-repository.ts'

/** Writes metadata from YouTube to the video's row and publishes an update if it changed. */
export async function onVideoResolved(
  trx: CatalogueTrx,
  envelope: Envelope<'metadata.video.resolved.v1'>,
): Promise<void> {
  const row = await lockByYoutubeId(trx, envelope.data.youtubeId)
  if (row === undefined) return
  const patch = patchFrom(row, envelope.data)
  const isChanged = Object.entries(patch).some(([key, value]) => row[key as keyof VideoRow] !== value)
  if (!isChanged) return
  const after = await patchVideo(trx, row.id, patch)
  await appendEvents(trx, updatedEvents([after]), envelope)
}

/** Empty fields of the metadata keep the current value, and so do an artist, title or thumbnail set by a user. */
function patchFrom(row: VideoRow, facts: Envelope<'metadata.video.resolved.v1'>['data']): VideoPatch {
  const artistName = row.artistGiven ? '' : cleanText(facts.artistName ?? '', TEXT_LIMITS.artistName)
  const hasDuration = facts.durationMs !== null && facts.durationMs > 0
  return {
    title: (!row.titleGiven && cleanText(facts.title, TEXT_LIMITS.title)) || row.title,
    artistName: artistName || row.artistName,
    description: cleanLinesOrNull(facts.description, TEXT_LIMITS.description) ?? row.description,
    thumbnailUrl: (!row.thumbnailGiven && facts.thumbnailUrl) || row.thumbnailUrl,
    ...(hasDuration ? { durationMs: facts.durationMs ?? row.durationMs, durationAssumed: false } : {}),
    metadataStatus: facts.embeddable ? 'resolved' : 'unavailable',
    // The reason follows in an event of its own; until then one that is known stays.
    unavailableReason: facts.embeddable ? null : (row.unavailableReason ?? 'not_embeddable'),
  }
}
