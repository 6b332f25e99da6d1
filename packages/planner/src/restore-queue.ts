import type { SourceOrder } from '@looptide/contracts/schedule'
import { hasAvoidableRepeats, insertApart, restOfCycle } from './rest-of-cycle.ts'
import type { SourceState } from './source-state.ts'

/** The source as it is now. */
interface RestoreInput {
  order: SourceOrder
  /** All items in natural order. */
  all: readonly string[]
  isIn: (itemId: string) => boolean
  /** The item that was taken last. */
  last: string | null
  /** Checksum of the playlist, see {@link SourceState}. */
  checksum: number | undefined
  /** Items that the cycle has played. */
  played: ReadonlySet<string>
  /** Items of the programmes planned so far; undefined unless they are planned again. */
  planned: readonly string[] | undefined
  maySkip: boolean
  artistOf: (itemId: string) => string
  /** Artist of the programme before. */
  previousArtist: string | null
  seed: string
  /** A whole cycle, if it began now. */
  naturalOrder: () => readonly string[]
}

interface RestoredQueue {
  queue: readonly string[]
  /** Number of items at its front that were skipped. */
  skipped: number
  /** Whether it differs from the stored queue. */
  isChanged: boolean
}

/** The queue of a stored state without items that have left the source, and with those that have joined it. */
export function restoreQueue(state: SourceState, input: RestoreInput): RestoredQueue {
  const { order, all, isIn, played, planned, maySkip } = input
  if (order === 'playlist') return inPlaylistOrder(state, input)
  const stored = maySkip || planned === undefined ? state.queue : plannedOrder(state.queue, planned, input)
  const kept = stored.filter(isIn)
  const known = new Set([...kept, ...played])
  const added = all.filter((id) => !known.has(id))
  const isChanged = added.length > 0 || kept.length < stored.length
  const isShuffledAgain = order === 'shuffle' && !maySkip && planned !== undefined
  // Repeats in an unchanged source come from an artist that was renamed.
  const mustReorder = isShuffledAgain && hasAvoidableRepeats({ ...input, kept })
  if (!isChanged && !mustReorder) return { queue: kept, skipped: 0, isChanged: isShuffledAgain }
  if (order !== 'shuffle') {
    return { queue: insertInOrder(kept, added, input.naturalOrder()), skipped: 0, isChanged }
  }
  const changed = { ...input, kept, added }
  return { queue: maySkip ? insertApart(changed) : restOfCycle(changed), skipped: 0, isChanged: true }
}

/**
 * The item after which a source continues. Null in a state: nothing was taken since the source began. States of earlier
 * releases do not say, and a loop that was shuffled until now (`isLoop`) continues after the programme before.
 */
export function lastOf(
  state: SourceState | undefined,
  isLoop: boolean,
  previous: string | null,
): string | null {
  if (state?.last === undefined) return previous
  const wasShuffled = isLoop && state.queue.length > 0
  return state.last === null && wasShuffled ? previous : state.last
}

/** The items at the front of a queue that would repeat the video on the air. They count as played; none if there is no other. */
export function repeatsOf(queue: readonly string[], isOnAir: (itemId: string) => boolean): readonly string[] {
  const other = queue.findIndex((itemId) => !isOnAir(itemId))
  return queue.slice(0, Math.max(0, other))
}

/** The queue with the items of the programmes planned so far first, in their order: viewers may know this order. */
function plannedOrder(
  queue: readonly string[],
  planned: readonly string[],
  { isIn, played }: RestoreInput,
): string[] {
  const coming = planned.filter((id) => isIn(id) && !played.has(id))
  return [...new Set([...coming, ...queue])]
}

/**
 * The queue of a source in playlist order: skipped items, then the items that follow the last one taken in the current
 * playlist. If that one has left the playlist, the queue continues with the next planned item that is still in it.
 */
function inPlaylistOrder(
  { queue, skipped = 0, checksum }: SourceState,
  { all, isIn, last, planned = [], ...input }: RestoreInput,
): RestoredQueue {
  if (checksum !== undefined && checksum === input.checksum) return { queue, skipped, isChanged: false }
  const waiting = queue.slice(0, skipped).filter(isIn)
  const next = [...queue.slice(skipped), ...planned].find(isIn)
  const from =
    last !== null && isIn(last) ? all.indexOf(last) + 1 : next === undefined ? 0 : all.indexOf(next)
  return { queue: [...waiting, ...all.slice(from)], skipped: waiting.length, isChanged: true }
}

/** Inserts each added item before the first kept one that follows it in `order`. The kept items keep their order. */
function insertInOrder(
  kept: readonly string[],
  added: readonly string[],
  order: readonly string[],
): string[] {
  const isKept = new Set(kept)
  const isAdded = new Set(added)
  const before = new Map<string, string[]>()
  let pending: string[] = []
  for (const id of order) {
    if (isAdded.has(id)) pending.push(id)
    else if (isKept.has(id)) {
      before.set(id, pending)
      pending = []
    }
  }
  const result: string[] = []
  for (const id of kept) {
    result.push(...(before.get(id) ?? []), id)
    before.delete(id)
  }
  return [...result, ...pending]
}

/** The number of items before the first one that repeats an earlier one. */
export function uniqueLength(ids: readonly string[]): number {
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) break
    seen.add(id)
  }
  return seen.size
}
