import type { RequestQueue } from '@looptide/contracts/events/audience'

/** Size of a part in bytes of JSON, below the limit of an event. */
const PART_BYTES = 200_000

/** Splits a queue into parts that fit into an event; together, in order, their lists are those of the queue. At least one. */
export function splitQueue(queue: RequestQueue, partBytes = PART_BYTES): RequestQueue[] {
  let part = emptyQueue()
  const parts = [part]
  let bytes = 0
  for (const list of ['requests', 'turns', 'votes'] as const) {
    for (const item of queue[list]) {
      const added = JSON.stringify(item).length + 1
      if (bytes > 0 && bytes + added > partBytes) {
        part = emptyQueue()
        parts.push(part)
        bytes = 0
      }
      ;(part[list] as unknown[]).push(item)
      bytes += added
    }
  }
  return parts
}

const emptyQueue = (): RequestQueue => ({ requests: [], turns: [], votes: [] })
