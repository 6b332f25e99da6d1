import type { SavePlaylistBody } from '@looptide/contracts/http/channel-playlists'
import { errors } from '@looptide/service-kit/http/errors'

interface Item {
  id: string
  videoId: string
}

/**
 * The items that a save removes from the current playlist and adds to it. An added item that the playlist already has,
 * since the response to an earlier attempt was lost, is not added again. Throws `validation_failed` for added items
 * missing from `itemIds`, and `conflict` for items that are neither in the playlist nor added.
 */
export function planSave(
  current: readonly Item[],
  { itemIds, added = [] }: SavePlaylistBody,
): { removed: string[]; added: { itemId: string; videoId: string }[] } {
  const known = new Map(current.map((item) => [item.id, item.videoId]))
  const saved = new Set(itemIds)
  const addedIds = new Set(added.map(({ itemId }) => itemId))
  if (addedIds.size < added.length || added.some(({ itemId }) => !saved.has(itemId))) {
    throw errors.validation('Each added item must be in itemIds, and be added once.')
  }
  const hasOtherVideo = added.some(
    ({ itemId, videoId }) => known.has(itemId) && known.get(itemId) !== videoId,
  )
  if (hasOtherVideo || itemIds.some((id) => !known.has(id) && !addedIds.has(id))) {
    throw errors.conflict('The playlist was changed by someone else. Please reload.')
  }
  return {
    removed: current.flatMap(({ id }) => (saved.has(id) ? [] : [id])),
    added: added.filter(({ itemId }) => !known.has(itemId)),
  }
}
