import { MAX_VIDEOS_PER_EVENT } from '@looptide/contracts/events/catalogue'
import { MAX_EVENT_BYTES } from './outbox.ts'

/** Maximum size of the list in an event, in bytes. The rest is for the envelope. */
const MAX_LIST_BYTES = MAX_EVENT_BYTES - 1024
/** Bytes of an item besides its content: a comma, an id, and the names of both. */
const MAX_ITEM_BYTES = 80

/**
 * Splits `items` into lists that each fit into one event, by count and by size, in the same order. `contentOf`: what the
 * event has of an item, by default the item.
 */
export function splitIntoLists<T>(
  items: readonly T[],
  contentOf: (item: T) => unknown = (item) => item,
): T[][] {
  const lists: T[][] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(contentOf(item))) + MAX_ITEM_BYTES
    const last = lists.at(-1)
    if (last === undefined || last.length >= MAX_VIDEOS_PER_EVENT || bytes + size > MAX_LIST_BYTES) {
      lists.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return lists
}
