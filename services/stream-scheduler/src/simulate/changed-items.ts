import { MAX_PLAYLIST_ITEMS } from '@looptide/contracts/http/channel-playlists'
import type { SimulateBody } from '@looptide/contracts/http/simulation'
import { newId } from '@looptide/service-kit/db/ids'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, Store } from '../db/schema.ts'
import { UnknownVideosError } from '../library/video-readiness.ts'
import { findVideos, readEntries } from '../playlists/playlist-repository.ts'
import {
  type LoopItem,
  loadFallbackItems,
  loadPlaylistItems,
  resolveItems,
} from '../schedule/loop-repository.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'

interface Entry {
  itemId: string
  videoId: string
}
type PlaylistChanges = Pick<SimulateBody, 'order' | 'remove' | 'add' | 'list'>

/** A channel's loop after a change, and all videos of its playlist, playable or not. */
export interface ChangedItems {
  /** Whether the default channel plays its fallback from the library. */
  isLibrary: boolean
  items: readonly LoopItem[]
  videoIds: readonly string[]
}

/** The playlist after these changes. Throws what the edits would throw (`not_found`, `conflict`, `unprocessable`). */
export async function changedItems(
  db: Store,
  channel: ChannelRow,
  changes: PlaylistChanges,
  fallbackMaxMs: number,
): Promise<ChangedItems> {
  const entries =
    changes.list === undefined
      ? await addEntries(db, await removeAndOrder(db, channel.id, changes), changes.add)
      : await replaceEntries(db, channel.id, changes.list)
  const removed = changes.list === undefined ? changes.remove : entries.removed
  const known = [...(await loadPlaylistItems(db, channel.id)), ...(await resolveItems(db, entries.added))]
  const playable = new Map(known.map((item) => [item.itemId, item]))
  const listed = entries.all.flatMap(({ itemId }) => playable.get(itemId) ?? [])
  const isLibrary = listed.length === 0 && channel.id === DEFAULT_CHANNEL_ID
  return {
    isLibrary,
    items: isLibrary ? await loadFallbackItems(db, fallbackMaxMs, removed) : listed,
    videoIds: entries.all.map(({ videoId }) => videoId),
  }
}

interface Entries {
  all: Entry[]
  added: Entry[]
  removed: string[]
}

/** The playlist after a save, without items and videos that no longer exist. */
async function replaceEntries(
  db: Store,
  channelId: string,
  { itemIds, added = [] }: NonNullable<PlaylistChanges['list']>,
): Promise<Entries> {
  const current = await readEntries(db, channelId)
  const known = await findVideos(
    db,
    added.map(({ videoId }) => videoId),
  )
  const isNew = new Map(added.flatMap((entry) => (known.has(entry.videoId) ? [[entry.itemId, entry]] : [])))
  const byId = new Map([...isNew, ...current.map((entry): [string, Entry] => [entry.itemId, entry])])
  const saved = new Set(itemIds)
  return {
    all: itemIds.flatMap((itemId) => byId.get(itemId) ?? []),
    added: [...isNew.values()],
    removed: current.flatMap(({ itemId }) => (saved.has(itemId) ? [] : [itemId])),
  }
}

/** The remaining playlist in the requested order. */
async function removeAndOrder(
  db: Store,
  channelId: string,
  { order, remove = [] }: PlaylistChanges,
): Promise<Entry[]> {
  const current = await readEntries(db, channelId)
  const removed = new Set(remove)
  const remaining = current.filter(({ itemId }) => !removed.has(itemId))
  if (remaining.length !== current.length - removed.size) throw errors.notFound('This video of the playlist')
  if (order === undefined) return remaining
  const byId = new Map(remaining.map((entry) => [entry.itemId, entry]))
  const ordered = order.flatMap((itemId) => byId.get(itemId) ?? [])
  if (ordered.length !== order.length || ordered.length !== remaining.length) {
    throw errors.conflict('The playlist was changed by someone else. Please reload.')
  }
  return ordered
}

async function addEntries(db: Store, entries: Entry[], add: PlaylistChanges['add']): Promise<Entries> {
  if (add === undefined) return { all: entries, added: [], removed: [] }
  const known = await findVideos(db, add.videoIds)
  const unknown = add.videoIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new UnknownVideosError(unknown)
  if (entries.length + add.videoIds.length > MAX_PLAYLIST_ITEMS) {
    throw new AppError('unprocessable', `A playlist holds at most ${MAX_PLAYLIST_ITEMS} videos.`)
  }
  const added = add.videoIds.map((videoId) => ({ itemId: newId(), videoId }))
  return { all: entries.toSpliced(add.position ?? entries.length, 0, ...added), added, removed: [] }
}
