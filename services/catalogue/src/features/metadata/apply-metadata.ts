import type { EventData } from '@looptide/contracts/events'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, VideoRow } from '../../db/schema.ts'
import { cleanLinesOrNull, cleanText, TEXT_LIMITS } from '../videos/clean-text.ts'
import { lockNewVideoCounts } from '../videos/video-count-repository.ts'
import { updatedEvents } from '../videos/video-events.ts'
import { lockByYoutubeIds } from '../videos/video-repository.ts'
import { METADATA_COLUMNS, type MetadataColumn, writeMetadata } from './metadata-repository.ts'

type Facts = EventData<'metadata.video.resolved.v1'>

/** Writes metadata from YouTube to the rows of the videos, and publishes an update of those that changed. */
export async function applyMetadata(trx: CatalogueTrx, facts: readonly Facts[], cause: Cause): Promise<void> {
  const byYoutubeId = new Map(facts.map((one) => [one.youtubeId, one]))
  const rows = await lockByYoutubeIds(trx, [...byYoutubeId.keys()])
  const changes = rows.flatMap((before) => {
    const found = byYoutubeId.get(before.youtubeId ?? '')
    const after = found === undefined ? before : { ...before, ...columnsFrom(before, found) }
    return isChange(before, after) ? [{ before, after }] : []
  })
  if (changes.length === 0) return
  const artists = changes.flatMap(({ before, after }) => [before.artistName, after.artistName])
  await lockNewVideoCounts(trx, artists)
  const written = await writeMetadata(
    trx,
    changes.map(({ after }) => after),
  )
  await appendEvents(trx, updatedEvents(written), cause)
}

const isChange = (before: VideoRow, after: VideoRow): boolean =>
  METADATA_COLUMNS.some((column) => before[column] !== after[column])

/** Empty fields of the metadata keep the current value, and so do an artist, title or thumbnail set by a user. */
function columnsFrom(row: VideoRow, facts: Facts): Pick<VideoRow, MetadataColumn> {
  const artistName = row.artistGiven ? '' : cleanText(facts.artistName ?? '', TEXT_LIMITS.artistName)
  const durationMs = facts.durationMs ?? 0
  return {
    title: (!row.titleGiven && cleanText(facts.title, TEXT_LIMITS.title)) || row.title,
    artistName: artistName || row.artistName,
    description: cleanLinesOrNull(facts.description, TEXT_LIMITS.description) ?? row.description,
    thumbnailUrl: (!row.thumbnailGiven && facts.thumbnailUrl) || row.thumbnailUrl,
    durationMs: durationMs > 0 ? durationMs : row.durationMs,
    durationAssumed: durationMs > 0 ? false : row.durationAssumed,
    metadataStatus: facts.embeddable ? 'resolved' : 'unavailable',
    // The reason follows in an event of its own; until then one that is known stays.
    unavailableReason: facts.embeddable ? null : (row.unavailableReason ?? 'not_embeddable'),
  }
}
