import type { LoopMode } from '@looptide/contracts/http/playlists'
import type { Video } from '@looptide/contracts/http/videos'
import { type Random, shuffled } from '@looptide/playhead/random'

/** An entry of the queue; a video may occur more than once. */
export interface QueueEntry {
  key: string
  video: Video
}

export interface QueueSettings {
  shuffle: boolean
  loop: LoopMode
  autoAdvance: boolean
}

/** The play queue (docs/product/admin.md §4). Immutable: every function here returns a new queue. */
export type Queue = QueueSettings & {
  readonly entries: readonly QueueEntry[]
  /** Index of the current entry; -1 while there is none. */
  readonly current: number
  /** With shuffle: all indices in random order. Without: empty. */
  readonly order: readonly number[]
  /** With shuffle: the indices played in this shuffle cycle, including the current one. */
  readonly played: readonly number[]
  /** Incremented whenever an entry starts, so that the same video can start again. */
  readonly turn: number
}

/** The default settings, as of a new playlist: no shuffle, no loop, auto-advance. */
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

/** The entry that plays; undefined in an empty queue. */
export const currentEntry = (queue: Queue): QueueEntry | undefined => queue.entries[queue.current]

/** Whether there is another video to go to. */
export const canSkip = (queue: Queue): boolean => queue.entries.length > 1

/** A queue of these entries, at its first entry, or at the first of the shuffled order. */
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
 * Starts a new shuffle cycle: a random order of all indices, none played. The current video is the first of the order,
 * so that a cycle plays each video once.
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

/** Moves to the next video. Returns the same queue at the end without playlist loop. */
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

/** Moves to the previous video, in shuffled order if there is one; wraps from the first to the last. */
export function previousVideo(queue: Queue): Queue {
  if (queue.current < 0) return queue
  if (!queue.shuffle) return jumpTo(queue, before(queue.current, queue.entries.length))
  const place = before(queue.order.indexOf(queue.current), queue.order.length)
  return jumpTo(queue, queue.order[place] ?? queue.current)
}

const before = (index: number, length: number): number => (index > 0 ? index : length) - 1

/**
 * The queue after a video has ended: the same video again with single loop, else the next one with auto-advance.
 * Returns the same queue if nothing follows.
 */
export function afterEnd(queue: Queue): Queue {
  if (queue.loop === 'single') return jumpTo(queue, queue.current)
  return queue.autoAdvance ? nextVideo(queue) : queue
}

/**
 * The queue with added, removed or moved entries. The current entry, identified by its key, keeps playing; if it was
 * removed, the next remaining one plays. New entries are last in the shuffled order.
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

/** The same queue with updated videos. */
export function withVideos(queue: Queue, videos: ReadonlyMap<string, Video>): Queue {
  const entries = queue.entries.map((entry) => {
    const video = videos.get(entry.video.id)
    return video ? { ...entry, video } : entry
  })
  return { ...queue, entries }
}
