import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { AuditEntry } from '@looptide/contracts/http/admin'
import { factsIn, firstText, isBareId } from '../audit-facts.ts'
import { orderBefore, type RemovedItem, withRemoved } from './playlist-before.ts'
import type { Client, UndoRule } from './undo-rule.ts'

type ItemsEntry = Pick<AuditEntry, 'action' | 'targetId' | 'details'>

const REMOVALS = new Set(['playlist.remove', 'playlist.remove_many', 'playlist.clear'])

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isBareId) : [])
const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []

/** Whether entries of these actions, about the same playlist, name all of these items. */
const nameAll = (
  entries: readonly ItemsEntry[],
  {
    channelId,
    isAction,
    itemIds,
  }: { channelId: string; isAction: (action: string) => boolean; itemIds: readonly string[] },
): boolean => {
  const named = new Set(
    entries
      .filter(({ action, targetId }) => targetId === channelId && isAction(action))
      .flatMap(({ details }) => idsIn(factsIn(details).itemIds)),
  )
  return itemIds.every((id) => named.has(id))
}

/** The items that an entry says were removed; undefined if it does not name them all. */
function removedItems({
  before,
  details,
}: Pick<AuditEntry, 'before' | 'details'>): RemovedItem[] | undefined {
  const { removed, itemIds, positions } = factsIn(details)
  const [ids, videoIds, places] = [idsIn(itemIds), idsIn(factsIn(before).videoIds), numbersIn(positions)]
  if (ids.length === 0 || [ids, videoIds, places].some(({ length }) => length !== removed)) return undefined
  return ids.map((itemId, index) => ({
    itemId,
    videoId: videoIds[index] ?? '',
    position: places[index] ?? 0,
  }))
}

const readPlaylist = ({ allVersionedPages }: Client, id: string) =>
  allVersionedPages('GET /api/channels/:id/playlist', { params: { id }, query: { limit: 1_000 } })

/** Returns removed items that the playlist does not have to their positions. */
const returnItems: UndoRule = (entry) => {
  const { targetId } = entry
  const removed = removedItems(entry)
  if (removed === undefined) return undefined
  const itemIds = removed.map(({ itemId }) => itemId)
  return {
    isDone: (later) =>
      nameAll(later, { channelId: targetId, itemIds, isAction: (action) => action === 'playlist.add' }),
    send: async (client) => {
      const { items, etag } = await readPlaylist(client, targetId)
      const present = items.map(({ id }) => id)
      const known = new Set(present)
      const missing = removed.filter(({ itemId }) => !known.has(itemId))
      if (missing.length === 0) return false
      const added = missing.map(({ itemId, videoId }) => ({ itemId, videoId }))
      const body = { itemIds: withRemoved(present, missing), added }
      await client.api.call(
        'PUT /api/channels/:id/playlist',
        { params: { id: targetId }, body },
        { ifMatch: etag },
      )
      return true
    },
  }
}

/** The rules of changes of playlists. */
export const PLAYLIST_UNDO: Partial<Record<AuditAction, UndoRule>> = {
  'playlist.add': ({ targetId, details }) => {
    const itemIds = idsIn(factsIn(details).itemIds)
    if (itemIds.length === 0) return undefined
    return {
      isDone: (later) =>
        nameAll(later, { channelId: targetId, itemIds, isAction: (action) => REMOVALS.has(action) }),
      send: async ({ api }) => {
        const input = { params: { id: targetId }, body: { itemIds } }
        return (await api.call('DELETE /api/channels/:id/playlist', input)).removed > 0
      },
    }
  },
  'playlist.remove': returnItems,
  'playlist.remove_many': returnItems,
  'playlist.clear': returnItems,
  'playlist.order': ({ targetId, before, after, details }) => {
    const { count, moved, positions } = factsIn(details)
    const [ids, places] = [idsIn(moved), numbersIn(positions)]
    const versions = [before, after].map((value) => firstText(factsIn(value).playlistVersion))
    const [from, to] = versions
    if (from === undefined || to === undefined || [ids, places].some(({ length }) => length !== count)) {
      return undefined
    }
    return {
      isDone: (later) =>
        later.some(
          (other) =>
            other.action === 'playlist.order' &&
            other.targetId === targetId &&
            factsIn(other.before).playlistVersion === to &&
            factsIn(other.after).playlistVersion === from,
        ),
      send: async (client) => {
        const { items } = await readPlaylist(client, targetId)
        const itemIds = orderBefore(
          items.map(({ id }) => id),
          ids,
          places,
        )
        await client.api.call(
          'PUT /api/channels/:id/playlist/order',
          { params: { id: targetId }, body: { itemIds } },
          { ifMatch: `"${to}"` },
        )
        return true
      },
    }
  },
}
