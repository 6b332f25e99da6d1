import type { Source, SourceOrder } from '@looptide/contracts/schedule'
import { randomIndex, seededRandom } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'
import { artistKey, type LibraryVideo, matcherOf, type PlaylistItem } from './library.ts'
import type { AirHistory, RuleCheck, RuleSet } from './rules.ts'

/**
 * The progress of a source through its order. A cycle plays each item once; `played` holds those of the current cycle.
 * An item that a rule forbids stays at its place in `queue` and is taken at the first opportunity.
 */
export interface SourceState {
  cycle: number
  queue: readonly string[]
  played: readonly string[]
}

export interface Candidate {
  itemId: string
  video: LibraryVideo
  /** Soft rules that it breaches. */
  breaches: RuleSet
}

/** What limits a choice. */
export interface Choice {
  check: RuleCheck
  startMs: number
  /** Whether a duration (ms) is acceptable. */
  fits: (durationMs: number) => boolean
}

export interface SourceInput {
  name: string
  source: Source
  /** Items of the playlist, if the source is one. */
  playlist: readonly PlaylistItem[]
  library: readonly LibraryVideo[]
  history: AirHistory
  seed: string
  /** For queries that depend on a video's age (epoch ms). */
  nowMs: number
  state: SourceState | undefined
}

const HOUR_MS = 3_600_000

/** The order of a source: that of the document, or the usual one for its kind. */
function orderOf(source: Source): SourceOrder {
  if (source.kind === 'video') return 'playlist'
  return source.order ?? (source.kind === 'playlist' ? 'playlist' : 'shuffle')
}

/** The items of a source in their natural order: of the playlist, else by time of addition. */
export function itemsOf({
  source,
  playlist,
  library,
  nowMs,
}: Omit<SourceInput, 'history' | 'state' | 'seed'>): PlaylistItem[] {
  switch (source.kind) {
    case 'playlist':
      return [...playlist]
    case 'video':
      return [{ itemId: source.videoId, videoId: source.videoId }]
    default:
      return byAddition(library)
        .filter(matcherOf(source.where, nowMs))
        .map(({ id }) => ({ itemId: id, videoId: id }))
  }
}

const librariesByAddition = new WeakMap<readonly LibraryVideo[], readonly LibraryVideo[]>()

/** A library in the order of addition. It is sorted once for all sources. */
function byAddition(library: readonly LibraryVideo[]): readonly LibraryVideo[] {
  const known = librariesByAddition.get(library)
  if (known !== undefined) return known
  const sorted = library.toSorted((a, b) => a.addedAtMs - b.addedAtMs || (a.id < b.id ? -1 : 1))
  librariesByAddition.set(library, sorted)
  return sorted
}

/** The items of one source in the order in which they will be played. */
export class SourceQueue {
  readonly #input: SourceInput
  readonly #order: SourceOrder
  readonly #restMs: number
  readonly #items: ReadonlyMap<string, LibraryVideo>
  #cycle: number
  /** What remains of the current cycle, and before it of earlier ones. Sets, because an item leaves from any place. */
  #queue: Set<string>
  /** The cycle that was begun before the queue was empty. */
  #nextQueue: Set<string>
  #played: Set<string>
  /** The order of the cycle after the last one that was begun, once it has been asked for. */
  #orderOfNext: readonly string[] | undefined

  constructor(input: SourceInput) {
    this.#input = input
    const { source, history, state } = input
    this.#order = orderOf(source)
    this.#restMs = 'where' in source ? (source.where.notAiredForHours ?? 0) * HOUR_MS : 0
    const items = new Map<string, LibraryVideo>()
    for (const { itemId, videoId } of itemsOf(input)) {
      const video = history.find(videoId)
      if (video !== undefined) items.set(itemId, video)
    }
    this.#items = items
    this.#cycle = state?.cycle ?? 0
    this.#played = new Set(state?.played.filter((id) => items.has(id)))
    const waiting = this.#restore(state)
    // The first item that comes a second time belongs to the next cycle, and so does what follows it.
    const end = uniqueLength(waiting)
    this.#queue = new Set(waiting.slice(0, end))
    this.#nextQueue = new Set(waiting.slice(end))
  }

  /** The first item that breaches no rule; else the one whose breaches matter least; undefined if hard rules forbid all. */
  choose(choice: Choice): Candidate | undefined {
    const fromQueue = this.#best(choice, this.#waiting())
    if (fromQueue?.breaches === 0 || !this.#mayBeginCycle()) return fromQueue
    // The rest of a cycle often has few artists. The next cycle is begun before a rule is relaxed.
    const fromNext = this.#best(choice, this.#nextOrder())
    if (fromNext === undefined || (fromQueue !== undefined && fromQueue.breaches <= fromNext.breaches)) {
      return fromQueue
    }
    this.#beginCycle()
    return fromNext
  }

  /** Up to `limit` items that hard rules allow, in order of preference: fewest breaches first, then the queue's order. */
  candidates(choice: Choice, limit: number): Candidate[] {
    if (this.#length() < limit && this.#mayBeginCycle()) this.#beginCycle()
    const found: Candidate[] = []
    for (const itemId of this.#waiting()) {
      const candidate = this.#candidate(choice, itemId)
      if (candidate !== undefined) found.push(candidate)
      if (found.length >= limit) break
    }
    return found.sort((a, b) => a.breaches - b.breaches)
  }

  /** The first instant (epoch ms) at which one of the items may be allowed, if none is now and nothing else airs. */
  allowedFrom(check: RuleCheck): number {
    let firstMs = Number.POSITIVE_INFINITY
    for (const { id } of this.#items.values()) {
      const restedMs = this.#restMs > 0 ? this.#input.history.lastStartOf(id) + this.#restMs : 0
      firstMs = Math.min(firstMs, Math.max(restedMs, check.allowedFrom(id)))
    }
    return firstMs
  }

  /** Removes an item that airs from the queue. */
  take(itemId: string): void {
    const isTaken = this.#queue.delete(itemId) || this.#nextQueue.delete(itemId)
    if (!isTaken) return
    if (this.#order === 'leastRecentlyAired') this.#queue.add(itemId)
    else this.#played.add(itemId)
  }

  /** Like {@link take} for an item that has been planned before. It may be of a cycle that has not been begun. */
  replay(itemId: string): void {
    if (!this.#queue.has(itemId) && !this.#nextQueue.has(itemId) && this.#items.has(itemId))
      this.#beginCycle()
    this.take(itemId)
  }

  /** A video aired from another source. It moves to the end if this one plays what aired longest ago. */
  aired(videoId: string): void {
    if (this.#order === 'leastRecentlyAired') this.take(videoId)
  }

  state(): SourceState {
    if (this.#order === 'leastRecentlyAired') return { cycle: 0, queue: [], played: [] }
    return { cycle: this.#cycle, queue: [...this.#waiting()], played: [...this.#played] }
  }

  *#waiting(): Iterable<string> {
    yield* this.#queue
    yield* this.#nextQueue
  }

  #length(): number {
    return this.#queue.size + this.#nextQueue.size
  }

  /** At most two cycles are in the queue, so that it does not grow while rules forbid some of its items. */
  #mayBeginCycle(): boolean {
    return this.#order !== 'leastRecentlyAired' && this.#items.size > 0 && this.#length() <= this.#items.size
  }

  #best(choice: Choice, queue: Iterable<string>): Candidate | undefined {
    let best: Candidate | undefined
    for (const itemId of queue) {
      const candidate = this.#candidate(choice, itemId)
      if (candidate === undefined) continue
      if (candidate.breaches === 0) return candidate
      if (best === undefined || candidate.breaches < best.breaches) best = candidate
    }
    return best
  }

  #candidate({ check, startMs, fits }: Choice, itemId: string): Candidate | undefined {
    const video = this.#items.get(itemId)
    if (video === undefined || !fits(video.durationMs)) return undefined
    if (this.#restMs > 0 && startMs - this.#input.history.lastStartOf(video.id) < this.#restMs)
      return undefined
    const breaches = check.breaches(video.id)
    return breaches === undefined ? undefined : { itemId, video, breaches }
  }

  #nextOrder(): readonly string[] {
    this.#orderOfNext ??= this.#orderOfCycle(this.#cycle + 1)
    return this.#orderOfNext
  }

  #beginCycle(): void {
    this.#queue = new Set(this.#waiting())
    this.#nextQueue = new Set(this.#nextOrder())
    this.#orderOfNext = undefined
    this.#cycle += 1
    this.#played.clear()
  }

  /** The stored queue without items that have left the source, and with those that have joined it. */
  #restore(state: SourceState | undefined): string[] {
    if (this.#order === 'leastRecentlyAired' || state === undefined) return this.#orderOfCycle(this.#cycle)
    const kept = state.queue.filter((id) => this.#items.has(id))
    const known = new Set([...kept, ...this.#played])
    const added = [...this.#items.keys()].filter((id) => !known.has(id))
    if (added.length === 0) return kept
    if (this.#order === 'shuffle') return insertAtRandom(kept, added, `${this.#input.seed}:${this.#cycle}`)
    return insertInOrder(kept, added, this.#orderOfCycle(this.#cycle))
  }

  #orderOfCycle(cycle: number): string[] {
    const { history, name, seed } = this.#input
    const ids = [...this.#items.keys()]
    const videoOf = (id: string) => this.#items.get(id) as LibraryVideo
    switch (this.#order) {
      case 'playlist':
        return ids
      case 'shuffle':
        return separateArtists(ids, (id) => artistKey(videoOf(id)), `${seed}:${name}:${cycle}`)
      case 'newestFirst':
        return ids.sort((a, b) => videoOf(b).addedAtMs - videoOf(a).addedAtMs)
      case 'mostLiked':
        return ids.sort((a, b) => videoOf(b).likes - videoOf(a).likes)
      case 'leastRecentlyAired': {
        const shuffledIds = separateArtists(ids, (id) => artistKey(videoOf(id)), `${seed}:${name}`)
        const lastStarts = new Map(ids.map((id) => [id, history.lastStartOf(videoOf(id).id)]))
        return shuffledIds.sort((a, b) => compare(lastStarts.get(a) ?? 0, lastStarts.get(b) ?? 0))
      }
    }
  }
}

/** Orders numbers of which both may be -Infinity. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

/** The number of items before the first one that repeats an earlier one. */
function uniqueLength(ids: readonly string[]): number {
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) break
    seen.add(id)
  }
  return seen.size
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

/** Inserts each added item at a random place. */
function insertAtRandom(kept: readonly string[], added: readonly string[], seed: string): string[] {
  const result = [...kept]
  for (const id of added) {
    result.splice(randomIndex(seededRandom(`${seed}:${id}`), result.length + 1), 0, id)
  }
  return result
}
