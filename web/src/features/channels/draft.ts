import type { ChannelPlaylistItem, SavePlaylistBody } from '@looptide/contracts/http/channel-playlists'
import type { SimulateBody } from '@looptide/contracts/http/simulation'
import { differenceOf, type ListDifference } from '../admin/list-difference.ts'

type EntryVideo = Pick<
  NonNullable<ChannelPlaylistItem['video']>,
  'title' | 'artistName' | 'duration' | 'thumbnailUrl'
>

/** A playlist entry with the fields of its video that the editor shows. `video` is null if it was deleted. */
export interface Entry {
  id: string
  videoId: string
  video: EntryVideo | null
}

/** A channel's playlist as stored on the server. `etag` is its version. */
export interface VersionedPlaylist {
  items: readonly Entry[]
  etag: string
}

/** Unsaved changes: the version they are based on, and the resulting list. */
export interface PlaylistDraft {
  base: VersionedPlaylist
  entries: readonly Entry[]
  /** Null: shuffle is unchanged. */
  shuffle: boolean | null
}

/** Whether a stored value is a draft that this release can read. */
export function isPlaylistDraft(value: unknown): value is PlaylistDraft {
  if (typeof value !== 'object' || value === null || !('base' in value) || !('entries' in value)) return false
  const { base, entries } = value as { base: Partial<VersionedPlaylist> | null; entries: unknown }
  return Array.isArray(base?.items) && typeof base.etag === 'string' && Array.isArray(entries)
}

/** The entries in which two versions of a playlist differ. */
export type PlaylistDifference = ListDifference<Entry>

/** Reduces a playlist item to the fields that the editor needs. */
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

/** The title to show for an entry, also of a video that was deleted. */
export const titleOf = ({ video }: Pick<Entry, 'video'>): string => video?.title ?? 'Unknown Title'

/** A draft without changes of a saved playlist. */
export const newDraft = (base: VersionedPlaylist): PlaylistDraft => ({
  base,
  entries: base.items,
  shuffle: null,
})

/** The list with one item moved; the same list when nothing moves. */
export function withMoved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from]
  if (item === undefined || from === to || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** The list with the chosen entries as a group, in their order, starting at `place` (from 0). */
export function withGroupMovedTo(
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  place: number,
): readonly Entry[] {
  const chosen = entries.filter(({ id }) => ids.has(id))
  const others = entries.filter(({ id }) => !ids.has(id))
  return others.toSpliced(Math.min(Math.max(place, 0), others.length), 0, ...chosen)
}

/** The list with the chosen entries moved directly after the entry of `videoId`; to the top without such an entry. */
export function withPlayedNext(
  entries: readonly Entry[],
  ids: ReadonlySet<string>,
  videoId: string | undefined,
): readonly Entry[] {
  const others = entries.filter(({ id }) => !ids.has(id))
  return withGroupMovedTo(entries, ids, others.findIndex((entry) => entry.videoId === videoId) + 1)
}

/** Whether saving the draft would change anything. */
export const hasChanges = ({ base, entries, shuffle }: PlaylistDraft): boolean =>
  shuffle !== null ||
  entries.length !== base.items.length ||
  entries.some(({ id }, index) => id !== base.items[index]?.id)

/** The request body that saves the list. */
export function saveBody(entries: readonly Entry[], base: readonly Entry[]): SavePlaylistBody {
  const known = new Set(base.map(({ id }) => id))
  const added = entries.filter(({ id }) => !known.has(id))
  return {
    itemIds: entries.map(({ id }) => id),
    ...(added.length > 0 && { added: added.map(({ id, videoId }) => ({ itemId: id, videoId })) }),
  }
}

/** The request body that simulates the draft; empty without a draft. */
export function simulationBody(draft: PlaylistDraft | undefined): SimulateBody {
  if (draft === undefined) return {}
  const isListChanged = hasChanges({ ...draft, shuffle: null })
  return {
    ...(isListChanged && { list: saveBody(draft.entries, draft.base.items) }),
    ...(draft.shuffle !== null && { shuffleEnabled: draft.shuffle }),
  }
}

const countOf = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : [])

/** Describes the changes of a draft. */
export function draftText(draft: PlaylistDraft): string {
  const { added, removed, moved } = differenceOf(draft.base.items, draft.entries)
  const { shuffle } = draft
  const kinds = [added.length, removed.length, moved.length, shuffle === null ? 0 : 1]
  const [first] = removed
  if (kinds.filter((count) => count > 0).length === 1) {
    if (moved.length > 0) return 'Unsaved changes: new order.'
    if (first && removed.length === 1) return `Unsaved changes: “${titleOf(first)}” removed.`
  }
  const changes = [
    ...countOf(added.length, 'added'),
    ...countOf(removed.length, 'removed'),
    ...countOf(moved.length, 'moved'),
    ...(shuffle === null ? [] : [`shuffle ${shuffle ? 'enabled' : 'disabled'}`]),
  ]
  return `Unsaved changes: ${changes.join(', ')}.`
}
