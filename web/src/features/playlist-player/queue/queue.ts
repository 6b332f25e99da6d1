import type { LoopMode } from '@looptide/contracts/http/playlists'
import type { Video } from '@looptide/contracts/http/videos'
import { type Random, shuffled } from '@looptide/playhead/random'

/** A video's place in the queue; the same video may stand there twice. */
export type QueueEntry = { key: string; video: Video }

export type QueueSettings = { shuffle: boolean; loop: LoopMode; autoAdvance: boolean }

/** What is to be played (docs/product/admin.md §4). Every function here answers a new queue and changes none. */
export type Queue = QueueSettings & {
  readonly entries: readonly QueueEntry[]
  /** Index of the current entry; -1 while there is none. */
  readonly current: number
  /** With shuffle: all indices in their random order. Without: empty. */
  readonly order: readonly number[]
  /** With shuffle: the indices that have had their turn in this round, the current one included. */
  readonly played: readonly number[]
  /** Grows whenever something begins to play, so that the same video can begin again. */
  readonly turn: number
}

/** A new playlist's settings are also an empty queue's: no shuffle, no loop, auto-advance. */
export const EMPTY_QUEUE: Queue = {
  entries: [],
  current: -1,
  shuffle: false,
  loop: 'off',
  autoAdvance: true,
  order: [],
  played: [],
  turn: 0,
}

export const currentEntry = (queue: Queue): QueueEntry | undefined => queue.entries[queue.current]

/** With one video or none there is nowhere to go. */
export const canSkip = (queue: Queue): boolean => queue.entries.length > 1

/** A queue of these entries, about to begin: with the first, or with the first of the shuffled order. */
export function loadQueue(
  entries: readonly QueueEntry[],
  { shuffle, loop, autoAdvance }: QueueSettings,
  random: Random,
): Queue {
  const order = shuffle ? shuffled([...entries.keys()], random) : []
  const first = entries.length === 0 ? -1 : (order[0] ?? 0)
  const played = shuffle && first >= 0 ? [first] : []
  return { entries, current: first, shuffle, loop, autoAdvance, order, played, turn: 1 }
}

/** Plays the entry at an index. */
export function jumpTo(queue: Queue, index: number): Queue {
  if (!(index in queue.entries)) return queue
  const played = queue.shuffle ? [...new Set([...queue.played, index])] : []
  return { ...queue, current: index, played, turn: queue.turn + 1 }
}

/**
 * Builds a random order of all indices and clears what has been played; the video that is on counts as the first
 * of the new order, so that a round plays each video once.
 */
export function withShuffle(queue: Queue, shuffle: boolean, random: Random): Queue {
  if (!shuffle) return { ...queue, shuffle, order: [], played: [] }
  const others = [...queue.entries.keys()].filter((index) => index !== queue.current)
  const now = queue.current < 0 ? [] : [queue.current]
  return { ...queue, shuffle, order: [...now, ...shuffled(others, random)], played: now }
}

const LOOP_AFTER: Record<LoopMode, LoopMode> = { off: 'single', single: 'playlist', playlist: 'off' }

/** off → single → playlist → off */
export const withNextLoop = (queue: Queue): Queue => ({ ...queue, loop: LOOP_AFTER[queue.loop] })

/** The next video; the same queue where the list ends and does not begin again. */
export function nextVideo(queue: Queue): Queue {
  if (queue.current < 0) return queue
  if (queue.shuffle) return nextShuffled(queue)
  const next = queue.current + 1
  if (next < queue.entries.length) return jumpTo(queue, next)
  return queue.loop === 'playlist' ? jumpTo(queue, 0) : queue
}

function nextShuffled(queue: Queue): Queue {
  const unplayed = queue.order.find((index) => index !== queue.current && !queue.played.includes(index))
  if (unplayed !== undefined) return jumpTo(queue, unplayed)
  const first = queue.order[0]
  if (queue.loop !== 'playlist' || first === undefined) return queue
  return jumpTo({ ...queue, played: [] }, first)
}

/** The one before, in the shuffled order if there is one; before the first comes the last. */
export function previousVideo(queue: Queue): Queue {
  if (queue.current < 0) return queue
  if (!queue.shuffle) return jumpTo(queue, before(queue.current, queue.entries.length))
  const place = before(queue.order.indexOf(queue.current), queue.order.length)
  return jumpTo(queue, queue.order[place] ?? queue.current)
}

const before = (index: number, length: number): number => (index > 0 ? index : length) - 1

/**
 * What follows when the video has ended: in single loop the same again, else the next one if the queue advances by
 * itself. The same queue means that nothing follows.
 */
export function afterEnd(queue: Queue): Queue {
  if (queue.loop === 'single') return jumpTo(queue, queue.current)
  return queue.autoAdvance ? nextVideo(queue) : queue
}

/**
 * The queue with other entries: some added, taken away or moved. The current one stays on, by its key; if it is
 * gone, the first one after it that is left takes its turn. New entries come last in the shuffled order.
 */
export function withEntries(queue: Queue, entries: readonly QueueEntry[], random: Random): Queue {
  const indexOf = new Map(entries.map(({ key }, index) => [key, index]))
  const moved = (index: number) => indexOf.get(queue.entries[index]?.key ?? '')
  const isHere = (index: number | undefined): index is number => index !== undefined
  const order = queue.order.map(moved).filter(isHere)
  const known = new Set(order)
  const added = [...entries.keys()].filter((index) => !known.has(index))
  const current = moved(queue.current)
  const next: Queue = {
    ...queue,
    entries,
    order: queue.shuffle ? [...order, ...shuffled(added, random)] : [],
    played: queue.played.map(moved).filter(isHere),
    current: current ?? -1,
  }
  if (current !== undefined || entries.length === 0) return next
  const heir = queue.entries
    .slice(Math.max(0, queue.current))
    .map(({ key }) => indexOf.get(key))
    .find(isHere)
  return jumpTo(next, heir ?? (queue.current < 0 ? (next.order[0] ?? 0) : entries.length - 1))
}

/** The same queue with what has become known of its videos since. */
export function withVideos(queue: Queue, videos: ReadonlyMap<string, Video>): Queue {
  const entries = queue.entries.map((entry) => {
    const video = videos.get(entry.video.id)
    return video ? { ...entry, video } : entry
  })
  return { ...queue, entries }
}
