import type { Channel, ChannelPlaylistItem, SavePlaylistBody } from '@looptide/contracts/http/channels'
import type { SimulateBody } from '@looptide/contracts/http/simulation'
import { longestIncreasingSubsequence } from '@looptide/playhead/longest-increasing-subsequence'

type EntryVideo = Pick<
  NonNullable<ChannelPlaylistItem['video']>,
  'title' | 'artistName' | 'duration' | 'thumbnailUrl'
>

/** A row of the playlist, with what the editor shows of its video. */
export type Entry = { id: string; videoId: string; video: EntryVideo | null }

/** A channel's playlist as the server has it; `etag` names its version. */
export type VersionedPlaylist = { items: readonly Entry[]; etag: string }

/** Unsaved changes: the playlist they are based on, and what becomes of it. */
export type PlaylistDraft = {
  base: VersionedPlaylist
  entries: readonly Entry[]
  /** Null: shuffle stays as it is. */
  shuffle: boolean | null
}

/** Whether a stored value is a draft that this release can read. */
export function isPlaylistDraft(value: unknown): value is PlaylistDraft {
  if (typeof value !== 'object' || value === null || !('base' in value) || !('entries' in value)) return false
  const { base, entries } = value as { base: Partial<VersionedPlaylist> | null; entries: unknown }
  return Array.isArray(base?.items) && typeof base.etag === 'string' && Array.isArray(entries)
}

/** How many entries two versions of a playlist differ in, by kind. */
export type PlaylistDifference = {
  added: readonly Entry[]
  removed: readonly Entry[]
  moved: readonly Entry[]
}

/** What the editor keeps of an item, or of a video under a new item id. */
export const toEntry = ({ id, videoId, video }: Entry): Entry => ({
  id,
  videoId,
  video: video && {
    title: video.title,
    artistName: video.artistName,
    duration: video.duration,
    thumbnailUrl: video.thumbnailUrl,
  },
})

export const titleOf = ({ video }: Pick<Entry, 'video'>): string => video?.title ?? 'Unknown Title'

export const newDraft = (base: VersionedPlaylist): PlaylistDraft => ({
  base,
  entries: base.items,
  shuffle: null,
})

/** The list with one entry at another place; the same list when nothing moves. */
export function withMoved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from]
  if (item === undefined || from === to || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** The list with the chosen entries together, in their order, the first of them at `place` (from 0). */
export function withMovedTo(
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  place: number,
): readonly Entry[] {
  const chosen = entries.filter(({ id }) => ids.has(id))
  const others = entries.filter(({ id }) => !ids.has(id))
  return others.toSpliced(Math.min(Math.max(place, 0), others.length), 0, ...chosen)
}

/** The list with the chosen entries behind the one that shows `videoId`; at the top when none does. */
export function withPlayedNext(
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  videoId: string | undefined,
): readonly Entry[] {
  const others = entries.filter(({ id }) => !ids.has(id))
  return withMovedTo(entries, ids, others.findIndex((entry) => entry.videoId === videoId) + 1)
}

/** What differs between two versions. The fewest entries that explain another order count as moved. */
export function differenceOf(before: readonly Entry[], after: readonly Entry[]): PlaylistDifference {
  const places = new Map(before.map(({ id }, place) => [id, place]))
  const afterIds = new Set(after.map(({ id }) => id))
  const kept = after.filter(({ id }) => places.has(id))
  const stays = longestIncreasingSubsequence(kept.map(({ id }) => places.get(id) ?? 0))
  return {
    added: after.filter(({ id }) => !places.has(id)),
    removed: before.filter(({ id }) => !afterIds.has(id)),
    moved: kept.filter((_, index) => !stays.has(index)),
  }
}

export const isUnchanged = ({ added, removed, moved }: PlaylistDifference): boolean =>
  added.length + removed.length + moved.length === 0

/** Whether saving the draft would change anything. */
export const hasChanges = ({ base, entries, shuffle }: PlaylistDraft): boolean =>
  shuffle !== null ||
  entries.length !== base.items.length ||
  entries.some(({ id }, index) => id !== base.items[index]?.id)

/** The playlist that a save asks for. */
export function saveBody(entries: readonly Entry[], base: readonly Entry[]): SavePlaylistBody {
  const known = new Set(base.map(({ id }) => id))
  const added = entries.filter(({ id }) => !known.has(id))
  return {
    itemIds: entries.map(({ id }) => id),
    ...(added.length > 0 && { added: added.map(({ id, videoId }) => ({ itemId: id, videoId })) }),
  }
}

/** What the server is asked to simulate. */
export function simulationOf(draft: PlaylistDraft | undefined): SimulateBody {
  if (draft === undefined) return {}
  const isOtherList = hasChanges({ ...draft, shuffle: null })
  return {
    ...(isOtherList && { list: saveBody(draft.entries, draft.base.items) }),
    ...(draft.shuffle !== null && { shuffleEnabled: draft.shuffle }),
  }
}

const countOf = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : [])

/** A draft in words. */
export function draftText(draft: PlaylistDraft, channel: Channel): string {
  const { added, removed, moved } = differenceOf(draft.base.items, draft.entries)
  const { shuffle } = draft
  const kinds = [added.length, removed.length, moved.length, shuffle === null ? 0 : 1]
  const [only] = removed
  if (kinds.filter((count) => count > 0).length === 1) {
    if (moved.length > 0) return 'The new order is not saved yet.'
    if (only && removed.length === 1) return `“${titleOf(only)}” is not removed yet.`
    if (shuffle !== null) return `Shuffle is not ${shuffle ? 'enabled' : 'disabled'} for ${channel.name} yet.`
  }
  const changes = [
    ...countOf(added.length, 'added'),
    ...countOf(removed.length, 'removed'),
    ...countOf(moved.length, 'moved'),
    ...(shuffle === null ? [] : [`shuffle ${shuffle ? 'enabled' : 'disabled'}`]),
  ]
  return `Not saved yet: ${changes.join(', ')}.`
}
