import { MAX_PLAYLIST_ITEMS } from '@looptide/contracts/http/channels'
import type { SimulateBody } from '@looptide/contracts/http/simulation'
import { AppError, errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import type { ChannelRow, Store } from '../../db/schema.ts'
import { fallbackItems, itemsOf, listedItems } from '../../timeline/loop-repository.ts'
import type { LoopItem } from '../../timeline/plan-timeline.ts'
import { DEFAULT_CHANNEL_ID } from '../../timeline/rules.ts'
import { UnknownVideos } from '../../videos/unknown-videos.ts'
import { knownVideos, readEntries } from '../playlists/playlist-repository.ts'

type Entry = { itemId: string; videoId: string }
type PlaylistChanges = Pick<SimulateBody, 'order' | 'remove' | 'add' | 'list'>

/** What a channel would play after a change, and the videos its playlist would name, playable or not. */
export interface ChangedItems {
  /** Whether the default channel falls back on the library. */
  isLibrary: boolean
  items: readonly LoopItem[]
  videoIds: readonly string[]
}

/** The playlist after these changes; refuses what the playlist's own edits refuse (`not_found`, `conflict`, `unprocessable`). */
export async function changedItems(
  db: Store,
  channel: ChannelRow,
  changes: PlaylistChanges,
  fallbackMaxMs: number,
): Promise<ChangedItems> {
  const entries =
    changes.list === undefined
      ? await withAdded(db, await rearranged(db, channel.id, changes), changes.add)
      : await replacedBy(db, channel.id, changes.list)
  const removed = changes.list === undefined ? changes.remove : entries.removed
  const known = [...(await listedItems(db, channel.id)), ...(await itemsOf(db, entries.added))]
  const playable = new Map(known.map((item) => [item.itemId, item]))
  const listed = entries.all.flatMap(({ itemId }) => playable.get(itemId) ?? [])
  const isAll = listed.length === 0 && channel.id === DEFAULT_CHANNEL_ID
  return {
    isLibrary: isAll,
    items: isAll ? await fallbackItems(db, fallbackMaxMs, removed) : listed,
    videoIds: entries.all.map(({ videoId }) => videoId),
  }
}

interface Entries {
  all: Entry[]
  added: Entry[]
  removed: string[]
}

/** The playlist as a save would make it; items and videos that are gone are left out. */
async function replacedBy(
  db: Store,
  channelId: string,
  { itemIds, added = [] }: NonNullable<PlaylistChanges['list']>,
): Promise<Entries> {
  const current = await readEntries(db, channelId)
  const known = await knownVideos(
    db,
    added.map(({ videoId }) => videoId),
  )
  const isNew = new Map(added.flatMap((entry) => (known.has(entry.videoId) ? [[entry.itemId, entry]] : [])))
  const byId = new Map([...isNew, ...current.map((entry): [string, Entry] => [entry.itemId, entry])])
  const wanted = new Set(itemIds)
  return {
    all: itemIds.flatMap((itemId) => byId.get(itemId) ?? []),
    added: [...isNew.values()],
    removed: current.flatMap(({ itemId }) => (wanted.has(itemId) ? [] : [itemId])),
  }
}

/** What stays of the playlist, in the requested order. */
async function rearranged(
  db: Store,
  channelId: string,
  { order, remove = [] }: PlaylistChanges,
): Promise<Entry[]> {
  const current = await readEntries(db, channelId)
  const removed = new Set(remove)
  const stays = current.filter(({ itemId }) => !removed.has(itemId))
  if (stays.length !== current.length - removed.size) throw errors.notFound('This video of the playlist')
  if (order === undefined) return stays
  const byId = new Map(stays.map((entry) => [entry.itemId, entry]))
  const wanted = order.flatMap((itemId) => byId.get(itemId) ?? [])
  if (wanted.length !== order.length || wanted.length !== stays.length) {
    throw errors.conflict('The playlist was changed by someone else. Please reload.')
  }
  return wanted
}

async function withAdded(db: Store, entries: Entry[], add: PlaylistChanges['add']): Promise<Entries> {
  if (add === undefined) return { all: entries, added: [], removed: [] }
  const known = await knownVideos(db, add.videoIds)
  const unknown = add.videoIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new UnknownVideos(unknown)
  if (entries.length + add.videoIds.length > MAX_PLAYLIST_ITEMS) {
    throw new AppError('unprocessable', `A playlist holds at most ${MAX_PLAYLIST_ITEMS} videos.`)
  }
  const added = add.videoIds.map((videoId) => ({ itemId: newId(), videoId }))
  return { all: entries.toSpliced(add.position ?? entries.length, 0, ...added), added, removed: [] }
}
