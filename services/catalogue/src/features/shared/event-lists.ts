import { MAX_VIDEOS_PER_EVENT } from '@looptide/contracts/events/catalogue'
import { MAX_EVENT_BYTES } from '@looptide/service-kit/events/outbox'

/** Maximum size of the list in an event, in bytes. The rest is for the envelope. */
const MAX_LIST_BYTES = MAX_EVENT_BYTES - 1024

/** Splits `items` into lists that each fit into one event, by count and by size, in the same order. */
export function splitIntoLists<T>(items: readonly T[]): T[][] {
  const lists: T[][] = []
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
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
