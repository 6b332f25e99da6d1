import type { ImportRow } from '@looptide/contracts/http/video-import'
import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../../db/schema.ts'
import { findDeletedBySource, findDeletedVideos } from '../deleted-videos/deleted-video-repository.ts'
import { restoreBatch } from '../deleted-videos/deleted-video-service.ts'
import { requestMetadata } from '../metadata/request-metadata.ts'
import { statesOf } from '../submissions/submission-repository.ts'
import { acceptVideos } from '../submissions/submission-service.ts'
import { type Candidate, findReviewed, newVideos } from './new-videos.ts'
import { lockNewVideoCounts } from './video-count-repository.ts'
import { addedEvents } from './video-events.ts'
import { insertVideos } from './video-repository.ts'
import { type ParsedLine, parseVideoLine } from './video-url.ts'

interface ImportOptions {
  /** The user who imports; null for the service key. */
  adderId: string | null
  allowUnplayable: boolean
  nowMs: number
}

/** What importing some rows has changed. */
interface ImportedRows {
  addedIds: string[]
  /** Rows without the URL of a video. */
  skipped: number
  events: NewEvent[]
}

/** Users who may import may edit the library. */
const ROLE = 'admin'

/**
 * Adds one video per row, as `VideoService.addRows` does for those who edit the library, in a transaction that has locked
 * bulk changes.
 */
export async function importBatch(
  trx: CatalogueTrx,
  rows: readonly ImportRow[],
  { adderId, allowUnplayable, nowMs }: ImportOptions,
): Promise<ImportedRows> {
  const parsed = rows.map(({ url }) => parseVideoLine(url, true, allowUnplayable))
  const candidates = newVideos(parsed, rows, { id: adderId, role: ROLE }, nowMs)
  const skipped = parsed.filter(({ kind }) => kind === 'skipped').length
  const known = await addKnown(trx, parsed, candidates, adderId)
  const inserted = candidates.length === 0 ? [] : await insertVideos(trx, candidates)
  return {
    addedIds: [...known.ids, ...inserted.map(({ id }) => id)],
    skipped,
    events: [...known.events, ...addedEvents(inserted), ...(await requestMetadata(trx, inserted))],
  }
}

/** Accepts the videos that are under review, and restores those that were deleted. */
async function addKnown(
  trx: CatalogueTrx,
  parsed: readonly ParsedLine[],
  candidates: readonly Candidate[],
  adderId: string | null,
): Promise<{ ids: string[]; events: NewEvent[] }> {
  const reviewed = await findReviewed(trx, parsed, candidates, ROLE)
  const deletedIds = await findDeletedBySource(
    trx,
    parsed.flatMap((line) => (line.kind === 'youtube' ? [line.youtubeId] : [])),
    parsed.flatMap((line) => (line.kind === 'media' ? [line.url] : [])),
  )
  const ids: string[] = []
  const events: NewEvent[] = []
  if (reviewed.length + deletedIds.length === 0) return { ids, events }
  const deleted = await findDeletedVideos(trx, deletedIds)
  await lockNewVideoCounts(
    trx,
    [...candidates, ...deleted].map(({ artistName }) => artistName),
  )
  const seen = await statesOf(
    trx,
    reviewed.map(({ videoId }) => videoId),
  )
  for (const [category, given] of Map.groupBy(reviewed, (video) => video.category)) {
    const acceptance = { ids: given.map(({ videoId }) => videoId), category, seen, given }
    const accepted = await acceptVideos(trx, acceptance, adderId)
    ids.push(...accepted.videoIds)
    events.push(...accepted.events)
  }
  const restored = await restoreBatch(trx, deletedIds)
  ids.push(...restored.rows.map(({ id }) => id))
  events.push(...restored.events)
  return { ids, events }
}
