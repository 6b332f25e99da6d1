import type { Video, VideoPage } from '@looptide/contracts/http/videos'

/**
 * A change of a video. `changed` and `removed` are pushed by the server. `added` comes from the response to our own
 * request and is older than any pushed state of the video.
 */
export type LibraryChange =
  | { kind: 'changed'; video: Video }
  | { kind: 'added'; video: Video }
  | { kind: 'removed'; videoId: string }

/**
 * Applies changes to the loaded pages. A video that is not loaded is new if its place is among the loaded rows: it is
 * inserted and counted. After the last loaded row it is merely not loaded yet. With `isFiltered` (a search, a category
 * or another order than newest first) nothing is inserted, because only the server knows what matches.
 */
export function withChanges(
  pages: readonly VideoPage[],
  changes: readonly LibraryChange[],
  isFiltered = false,
): VideoPage[] {
  const loaded = new Set(pages.flatMap((page) => page.items.map(({ id }) => id)))
  const latest = latestById(changes, loaded)
  const removedCount = [...latest].filter(([id, video]) => video === null && loaded.has(id)).length
  const kept = pages.map((page) => ({
    ...page,
    items: page.items.flatMap((known) => {
      const video = latest.get(known.id)
      return video === null ? [] : [video ?? known]
    }),
  }))
  const isComplete = pages.at(-1)?.nextCursor === null
  const added = isFiltered
    ? []
    : [...latest.values()].filter((video): video is Video => video !== null && !loaded.has(video.id))
  const inserted = insertInPlace(kept, added, isComplete)
  return kept.map((page) => ({ ...page, total: page.total - removedCount + inserted }))
}

/** Whether a removed video is not loaded. Then it is unknown whether the total included it. */
export const removesUnloaded = (pages: readonly VideoPage[], changes: readonly LibraryChange[]): boolean => {
  const removed = changes.flatMap((change) => (change.kind === 'removed' ? [change.videoId] : []))
  if (removed.length === 0) return false
  const loaded = new Set(pages.flatMap((page) => page.items.map(({ id }) => id)))
  return removed.some((id) => !loaded.has(id))
}

/** The latest state of each changed video; null if it was removed. */
function latestById(
  changes: readonly LibraryChange[],
  loaded: ReadonlySet<string>,
): Map<string, Video | null> {
  const latest = new Map<string, Video | null>()
  for (const change of changes) {
    if (change.kind === 'removed') latest.set(change.videoId, null)
    else {
      const { id } = change.video
      if (change.kind === 'changed' || !(loaded.has(id) || latest.has(id))) latest.set(id, change.video)
    }
  }
  return latest
}

/** Inserts videos into the rows, newest first, and returns how many; after the last row only if `isComplete`. */
function insertInPlace(pages: VideoPage[], videos: readonly Video[], isComplete: boolean): number {
  const lastRows = pages.map(({ items }) => items.at(-1))
  const placeOf = (video: Video): number => {
    const index = lastRows.findIndex((last) => last !== undefined && newestFirst(video, last) < 0)
    return index < 0 && isComplete ? pages.length - 1 : index
  }
  const byPage = Map.groupBy(videos, placeOf)
  let inserted = 0
  for (const [index, added] of byPage) {
    const page = pages[index]
    if (!page) continue
    page.items = [...page.items, ...added].sort(newestFirst)
    inserted += added.length
  }
  return inserted
}

/** The server's order "Newest First": by creation time, then by id, both descending. */
function newestFirst(a: Video, b: Video): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}
