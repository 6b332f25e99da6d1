import type { SourceOrder } from '@looptide/contracts/schedule'
import { seededRandom } from '@looptide/playhead/random'
import { type Candidate, type Choice, candidateFor } from './candidate.ts'
import type { LibraryVideo } from './library.ts'
import type { PreviousProgramme, ReplayedProgramme } from './plan.ts'
import { lastOf, repeatsOf, restoreQueue, uniqueLength } from './restore-queue.ts'
import type { AirHistory, RuleCheck } from './rules.ts'
import { artistIn, type SourceItemsInput, videosOf } from './source-items.ts'
import { isAiredOnce, orderOf, orderOfCycle } from './source-order.ts'
import type { SourceState } from './source-state.ts'

type ReplayedItem = Pick<ReplayedProgramme, 'startsCycle' | 'isJoined'> & { itemId: string }

export interface SourceInput extends SourceItemsInput {
  name: string
  history: AirHistory
  seed: string
  state: SourceState | undefined
  /** Whether rules or hard starts may skip items. */
  maySkip: boolean
  /** The state is that of programmes planned before: items that have joined or left since are not considered. */
  isReplay: boolean
  /** Items of the programmes planned so far, after the ones that are kept. */
  planned: readonly string[] | undefined
  previous: PreviousProgramme | undefined
}

const HOUR_MS = 3_600_000

/** The items of one source in the order in which they will be played. */
export class SourceQueue {
  readonly #input: SourceInput
  readonly #order: SourceOrder
  readonly #restMs: number
  readonly #items: ReadonlyMap<string, LibraryVideo>
  readonly #artistOf: (itemId: string) => string
  #cycle: number
  /** Remaining items of earlier cycles, then of the current one. A set, because any item may be removed. */
  #queue: Set<string>
  /** The cycle that was begun before the queue was empty. */
  #nextQueue: Set<string>
  #played: Set<string>
  #count: number
  #last: string | null
  #skipped: number
  #tail: string | null
  /** The order of the cycle after the last one that was begun, once it has been asked for. */
  #orderOfNext: readonly string[] | undefined

  constructor(input: SourceInput) {
    this.#input = input
    const { source, state } = input
    this.#order = orderOf(source)
    this.#restMs = 'where' in source ? (source.where.notAiredForHours ?? 0) * HOUR_MS : 0
    this.#items = videosOf(input)
    this.#artistOf = artistIn(this.#items)
    this.#cycle = state?.cycle ?? 0
    this.#played = new Set(state?.played)
    this.#count = state?.count ?? this.#played.size
    this.#last = lastOf(state, this.#isCompact, input.previous?.itemId ?? null)
    this.#skipped = state?.skipped ?? 0
    this.#tail = state?.tail ?? null
    const waiting = this.#restore(state)
    this.#tail ??= waiting.at(-1) ?? this.#last
    // The first repeated item and all items after it belong to the next cycle.
    this.#queue = new Set(waiting)
    const end = this.#queue.size === waiting.length ? waiting.length : uniqueLength(waiting)
    if (end < waiting.length) this.#queue = new Set(waiting.slice(0, end))
    this.#nextQueue = new Set(waiting.slice(end))
    const isOnAir = (itemId: string) => this.#items.get(itemId)?.id === input.previous?.videoId
    const begins = state === undefined && !input.isReplay && !isAiredOnce(source)
    if (begins) for (const itemId of repeatsOf(waiting, isOnAir)) this.take(itemId)
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

  /** Removes an item that airs from the queue. Returns whether it begins a cycle of a source that skips nothing. */
  take(itemId: string): boolean {
    if (this.#order === 'leastRecentlyAired') {
      if (this.#queue.delete(itemId)) this.#queue.add(itemId)
      return false
    }
    this.#count += 1
    this.#passTo(itemId)
    if (!this.#queue.delete(itemId)) this.#nextQueue.delete(itemId)
    if (!this.#isCompact) this.#played.add(itemId)
    return this.#count === 1 && !this.#input.maySkip
  }

  /** Like {@link take} for an item that has been planned before. It may be of a cycle that has not been begun. */
  replay({ itemId, startsCycle, isJoined }: ReplayedItem): void {
    const { maySkip } = this.#input
    const isKnown = startsCycle !== null && !maySkip
    const begins = isKnown ? startsCycle && this.#count > 0 : this.#isRepeated(itemId)
    if (begins && isJoined && !maySkip) this.#leaveOut(this.#length())
    if (begins && this.#order !== 'leastRecentlyAired') this.#beginCycle()
    if (isJoined && !maySkip) this.#leaveOut([...this.#waiting()].indexOf(itemId))
    this.take(itemId)
  }

  /** Whether the item is in the source. */
  has(itemId: string): boolean {
    return this.#items.has(itemId)
  }

  /** Whether the item was the last one. */
  isLast(itemId: string): boolean {
    return this.#last === itemId
  }

  /** A video aired from another source. It moves to the end if this one plays what aired longest ago. */
  aired(videoId: string): void {
    if (this.#order === 'leastRecentlyAired') this.take(videoId)
  }

  state(): SourceState {
    const [cycle, count, last] = [this.#cycle, this.#count, this.#last]
    if (this.#order === 'leastRecentlyAired') return { cycle: 0, queue: [], played: [] }
    if (this.#isCompact) return { cycle, queue: [], played: [], count, last }
    const [queue, played] = [[...this.#waiting()], [...this.#played]]
    const known = { cycle, queue, played, count, last, skipped: this.#skipped, tail: this.#tail }
    const { isReplay, state } = this.#input
    const checksum = isReplay && state !== undefined ? state.checksum : this.#checksum()
    return checksum === undefined ? known : { ...known, checksum }
  }

  get #isCompact(): boolean {
    return this.#order === 'playlist' && !this.#input.maySkip
  }

  /** Whether an item without a known place begins a cycle: its cycle has played it. */
  #isRepeated(itemId: string): boolean {
    if (!this.#items.has(itemId) || this.#queue.has(itemId) || this.#nextQueue.has(itemId)) return false
    return this.#played.has(itemId) || this.#length() === 0
  }

  /** Moves on to an item: items before it are skipped, unless it was skipped itself. */
  #passTo(itemId: string): void {
    let index = 0
    if (this.#order === 'playlist' && !this.#isCompact) {
      for (const waiting of this.#waiting()) {
        if (waiting === itemId) break
        index += 1
      }
    }
    if (index < this.#skipped) this.#skipped -= 1
    else {
      this.#skipped = index < this.#length() ? index : this.#skipped
      this.#last = itemId
    }
  }

  /** Leaves out the next items. */
  #leaveOut(count: number): void {
    for (const id of [...this.#waiting()].slice(0, Math.max(0, count))) {
      if (!this.#queue.delete(id)) this.#nextQueue.delete(id)
      this.#played.add(id)
    }
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
    if (isAiredOnce(this.#input.source)) return false
    return this.#order !== 'leastRecentlyAired' && this.#items.size > 0 && this.#length() <= this.#items.size
  }

  #best(choice: Choice, queue: Iterable<string>): Candidate | undefined {
    let best: Candidate | undefined
    for (const itemId of queue) {
      const candidate = this.#candidate(choice, itemId)
      if (candidate === undefined) continue
      if (candidate.breaches === 0 || isAiredOnce(this.#input.source)) return candidate
      if (best === undefined || candidate.breaches < best.breaches) best = candidate
    }
    return best
  }

  #candidate(choice: Choice, itemId: string): Candidate | undefined {
    const video = this.#items.get(itemId)
    return video && candidateFor(itemId, video, choice, this.#input.history, this.#restMs)
  }

  #nextOrder(): readonly string[] {
    this.#orderOfNext ??= this.#orderOfCycle(this.#cycle + 1, this.#itemsOfNext())
    return this.#orderOfNext
  }

  /** Items of the next cycle. In a replay those of the previous cycle, because items may have joined or left since. */
  #itemsOfNext(): readonly string[] {
    const ids = [...this.#items.keys()]
    if (!this.#input.isReplay || this.#input.state === undefined || this.#isCompact) return ids
    const known = new Set([...this.#played, ...this.#waiting()])
    return [...ids.filter((id) => known.has(id)), ...[...known].filter((id) => !this.#items.has(id))]
  }

  #beginCycle(): void {
    const order = this.#nextOrder()
    this.#queue = new Set(this.#waiting())
    this.#nextQueue = new Set(order)
    this.#orderOfNext = undefined
    this.#cycle += 1
    this.#count = 0
    this.#tail = order.at(-1) ?? null
    this.#played.clear()
  }

  /** The stored queue: unchanged in a replay, else with items that joined the source and without those that left it. */
  #restore(state: SourceState | undefined): readonly string[] {
    const all = [...this.#items.keys()]
    const orderOf = (cycle: number) => this.#orderOfCycle(cycle, all)
    if (this.#order === 'leastRecentlyAired' || state === undefined) return orderOf(this.#cycle)
    if (this.#input.isReplay) return this.#isCompact ? [] : state.queue
    const { name, seed, planned, maySkip } = this.#input
    const restored = restoreQueue(state, {
      order: this.#order,
      all,
      last: this.#last,
      isIn: (id) => this.#items.has(id),
      checksum: this.#checksum(),
      played: this.#played,
      planned,
      maySkip,
      artistOf: this.#artistOf,
      previousArtist: this.#artistOrPrevious(this.#last),
      seed: `${seed}:${name}:${this.#cycle}:${this.#count}`,
      naturalOrder: () => orderOf(this.#cycle),
    })
    this.#skipped = restored.skipped
    if (restored.isChanged) this.#tail = null
    return restored.queue
  }

  /** The checksum of the playlist; undefined in other orders. */
  #checksum(): number | undefined {
    if (this.#order !== 'playlist' || this.#isCompact) return undefined
    return seededRandom([...this.#items.keys()].join(' '))()
  }

  #artistOrPrevious(itemId: string | null): string | null {
    const isKnown = itemId !== null && this.#items.has(itemId)
    return isKnown ? this.#artistOf(itemId) : (this.#input.previous?.artist ?? null)
  }

  #orderOfCycle(cycle: number, ids: readonly string[]): readonly string[] {
    const { history, name: source, seed } = this.#input
    return orderOfCycle(ids, {
      order: this.#order,
      videos: this.#items,
      artistOf: this.#artistOf,
      history,
      seed,
      source,
      cycle,
      previousArtist: this.#artistOrPrevious(this.#tail),
    })
  }
}
