import { differenceOf, type Entry, type PlaylistDraft, type VersionedPlaylist } from './draft.ts'

/**
 * Applies the changes from `base` to `mine` to `theirs`: what was removed on either side is gone, what was added on
 * either side is there, and what was moved in `mine` stands behind the entry that precedes it there. Of an entry that
 * both have moved, the place in `mine` counts.
 */
export function mergePlaylist(
  base: readonly Entry[],
  mine: readonly Entry[],
  theirs: readonly Entry[],
): readonly Entry[] {
  const own = differenceOf(base, mine)
  const placedByMe = new Set([...own.added, ...own.moved].map(({ id }) => id))
  const removedByMe = new Set(own.removed.map(({ id }) => id))
  const addedByMe = new Set(own.added.map(({ id }) => id))
  const theirIds = new Set(theirs.map(({ id }) => id))
  const stays = theirs.filter(({ id }) => !placedByMe.has(id) && !removedByMe.has(id))

  const followers = new Map<string | null, Entry[]>()
  let anchor: string | null = null
  for (const entry of mine) {
    if (!placedByMe.has(entry.id)) {
      if (theirIds.has(entry.id)) anchor = entry.id
    } else if (theirIds.has(entry.id) || addedByMe.has(entry.id)) {
      const group = followers.get(anchor)
      if (group) group.push(entry)
      else followers.set(anchor, [entry])
    }
  }
  const behind = (id: string | null): readonly Entry[] => followers.get(id) ?? []
  const placed = [...behind(null), ...stays.flatMap((entry) => [entry, ...behind(entry.id)])]
  // An entry that both have: what it shows now, for its video may have been replaced.
  const newest = new Map(theirs.map((entry) => [entry.id, entry]))
  return placed.map((entry) => newest.get(entry.id) ?? entry)
}

/** The draft on top of another version: with both sides' changes. */
export const merged = (draft: PlaylistDraft, theirs: VersionedPlaylist): PlaylistDraft => ({
  ...draft,
  base: theirs,
  entries: mergePlaylist(draft.base.items, draft.entries, theirs.items),
})

/**
 * The draft on top of another version: the list as it is in the draft, whatever the others have done. Entries that they
 * have removed are added again, except videos that `isGone` says the library no longer has.
 */
export function overwritten(
  draft: PlaylistDraft,
  theirs: VersionedPlaylist,
  isGone: (videoId: string) => boolean,
): PlaylistDraft {
  const theirIds = new Set(theirs.items.map(({ id }) => id))
  const entries = draft.entries.filter(({ id, videoId }) => theirIds.has(id) || !isGone(videoId))
  return { ...draft, base: theirs, entries }
}
