import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, FollowedListRow, VideoRow } from '../../db/schema.ts'
import { findDeletedYoutubeIds } from '../deleted-videos/deleted-video-repository.ts'
import { insertSubmissions, lockSubmissions, setFollowedList } from '../submissions/submission-repository.ts'
import { UNDER_REVIEW } from '../submissions/submit-videos.ts'
import { newVideos } from '../videos/new-videos.ts'
import { appendTag } from '../videos/tag-repository.ts'
import { withTagChanges } from '../videos/tags.ts'
import {
  addedEvents,
  HOME_CHANGED,
  metadataRequests,
  submissionChanged,
  updatedEvents,
} from '../videos/video-events.ts'
import {
  findBySource,
  insertVideos,
  lockBulkChanges,
  lockVideos,
  type NewVideo,
} from '../videos/video-repository.ts'

/**
 * Adds videos that are new in a followed list, to the library or to Submissions, and returns the events to publish. Videos
 * that the library has, or that users have submitted, only get the list's tag; their review does not change. Deleted and
 * rejected videos do not return.
 */
export async function addItems(
  trx: CatalogueTrx,
  list: FollowedListRow,
  youtubeIds: readonly string[],
): Promise<NewEvent[]> {
  await lockBulkChanges(trx)
  const deleted = await findDeletedYoutubeIds(trx, youtubeIds)
  const wanted = youtubeIds.filter((id) => !deleted.has(id))
  const known = await findBySource(trx, wanted, [])
  const tagged = await tagVideos(trx, list, known)
  const knownIds = new Set(known.map((row) => row.youtubeId))
  const missing = wanted.filter((id) => !knownIds.has(id))
  const inserted = missing.length === 0 ? [] : await insertVideos(trx, videosOf(list, missing))
  // Another transaction may have added some of them since they were looked for.
  const insertedIds = new Set(inserted.map((row) => row.youtubeId))
  const concurrent = missing.filter((id) => !insertedIds.has(id))
  const taggedLate = await tagVideos(trx, list, await findBySource(trx, concurrent, []))
  const events = [...metadataRequests(inserted, false), ...updatedEvents([...tagged, ...taggedLate])]
  if (list.intake === 'direct') {
    return [...addedEvents(inserted), ...events, ...(inserted.length > 0 ? [HOME_CHANGED] : [])]
  }
  const ids = inserted.map((row) => row.id)
  await insertSubmissions(trx, ids, titleOf(list))
  return [...events, ...ids.map(submissionChanged)]
}

const titleOf = ({ title, url }: FollowedListRow): string => title ?? url

function videosOf(list: FollowedListRow, youtubeIds: readonly string[]): NewVideo[] {
  const lines = youtubeIds.map((youtubeId) => ({ kind: 'youtube' as const, youtubeId }))
  const row = { category: list.category, tags: [list.tag] }
  const rows = youtubeIds.map((id) => ({ url: `https://youtu.be/${id}`, ...row }))
  const videos = newVideos(lines, rows, { id: null, role: 'admin' }, Date.now())
  return list.intake === 'direct' ? videos : videos.map((video) => ({ ...video, ...UNDER_REVIEW }))
}

/** Gives videos the list's tag and returns the changed ones. Rejected videos, and those full of tags, stay unchanged. */
async function tagVideos(
  trx: CatalogueTrx,
  list: FollowedListRow,
  known: readonly VideoRow[],
): Promise<VideoRow[]> {
  if (known.length === 0) return []
  const ids = known.map((row) => row.id)
  // Submissions before videos: the order in which decisions lock them.
  const undecided = await lockSubmissions(trx, ids, ['submitted'])
  await setFollowedList(
    trx,
    undecided.map(({ videoId }) => videoId),
    titleOf(list),
  )
  const locked = await lockVideos(trx, ids)
  const changed = locked.filter((row) => {
    const tags = withTagChanges(row.tags, { added: [list.tag] })
    return row.reviewState !== 'rejected' && tags !== undefined && tags.length > row.tags.length
  })
  if (changed.length === 0) return []
  return appendTag(
    trx,
    changed.map((row) => row.id),
    list.tag,
  )
}
