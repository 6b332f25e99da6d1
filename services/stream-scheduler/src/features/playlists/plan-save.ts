import type { SavePlaylistBody } from '@looptide/contracts/http/channels'
import { errors } from '@looptide/service-kit/errors'

interface Item {
  id: string
  videoId: string
}

/**
 * What a save removes from the current playlist and adds to it. An added item that is there already, because the answer
 * to an earlier try was lost, is not added again. Throws `validation_failed` for additions that the list does not name,
 * and `conflict` for items that are neither in the playlist nor added.
 */
export function planSave(
  current: readonly Item[],
  { itemIds, added = [] }: SavePlaylistBody,
): { removed: string[]; added: { itemId: string; videoId: string }[] } {
  const known = new Map(current.map((item) => [item.id, item.videoId]))
  const wanted = new Set(itemIds)
  const addedIds = new Set(added.map(({ itemId }) => itemId))
  if (addedIds.size < added.length || added.some(({ itemId }) => !wanted.has(itemId))) {
    throw errors.validation('Each added item must be named in itemIds, and added once.')
  }
  const isOther = added.some(({ itemId, videoId }) => known.has(itemId) && known.get(itemId) !== videoId)
  if (isOther || itemIds.some((id) => !known.has(id) && !addedIds.has(id))) {
    throw errors.conflict('The playlist was changed by someone else. Please reload.')
  }
  return {
    removed: current.flatMap(({ id }) => (wanted.has(id) ? [] : [id])),
    added: added.filter(({ itemId }) => !known.has(itemId)),
  }
}
