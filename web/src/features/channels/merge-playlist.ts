import { differenceOf } from '../admin/list-difference.ts'
import type { Entry, PlaylistDraft, VersionedPlaylist } from './draft.ts'

/**
 * Three-way merge of playlists. Entries that either side removed are omitted, entries that either side added are kept,
 * and an entry added or moved in `mine` follows its predecessor from `mine`. If both sides moved an entry, its place in
 * `mine` wins.
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
  const unmoved = theirs.filter(({ id }) => !placedByMe.has(id) && !removedByMe.has(id))

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
  const followersOf = (id: string | null): readonly Entry[] => followers.get(id) ?? []
  const placed = [...followersOf(null), ...unmoved.flatMap((entry) => [entry, ...followersOf(entry.id)])]
  // For entries that both sides have, theirs is used: its video may have been replaced.
  const newest = new Map(theirs.map((entry) => [entry.id, entry]))
  return placed.map((entry) => newest.get(entry.id) ?? entry)
}

/** Rebases the draft onto another version, with the changes of both sides. */
export const mergeDraft = (draft: PlaylistDraft, theirs: VersionedPlaylist): PlaylistDraft => ({
  ...draft,
  base: theirs,
  entries: mergePlaylist(draft.base.items, draft.entries, theirs.items),
})

/**
 * Rebases the draft onto another version and keeps the draft's list. Entries removed by others are added again, except
 * videos for which `isMissing` reports that they are no longer in the library.
 */
export function overwriteDraft(
  draft: PlaylistDraft,
  theirs: VersionedPlaylist,
  isMissing: (videoId: string) => boolean,
): PlaylistDraft {
  const theirIds = new Set(theirs.items.map(({ id }) => id))
  const entries = draft.entries.filter(({ id, videoId }) => theirIds.has(id) || !isMissing(videoId))
  return { ...draft, base: theirs, entries }
}
