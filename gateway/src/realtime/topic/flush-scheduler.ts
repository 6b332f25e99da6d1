import type { GroupMember } from './subscriber-group.ts'

/** The buffered frames of a topic's subscribers, which the scheduler flushes. */
export interface FlushSource {
  /** Whether frames are buffered. */
  hasFrames(): boolean
  /** Starts a flush pass over all subscribers, including those that are added during the pass. */
  beginPass(): Iterator<GroupMember>
  /** Ends a flush pass in which every subscriber was served. True when frames published during it are still buffered. */
  endPass(): boolean
}

export interface FlushTiming {
  /** Time between the starts of two flush passes, in which messages are batched, in ms. */
  windowMs: number
  /** Monotonic clock in ms. */
  now: () => number
}

/** Length of a time slice in ms. After it, a flush pass yields to the event loop. */
const TIME_SLICE_MS = 2
/** Messages published during one flush pass from which on batching matters more than the latency of each message. */
const BUSY_MESSAGES = 4

/**
 * Decides when a topic's subscribers are served. The cost of a fan-out is the system call per socket, not the bytes, so
 * subscribers are served in flush passes: each receives everything it lacks at that moment, in one write. A message on an
 * idle topic starts a pass at once. The next pass starts `windowMs` after the start of the previous one, and after its
 * end when at least four messages were published during it: then a pause saves more writes than it delays.
 *
 * A pass over tens of thousands of sockets takes tenths of a second. It runs in time slices and yields to the event loop
 * between them. Messages published during a pass are included for subscribers that are not served yet. A message
 * therefore waits for at most one pass and one window, at any message rate.
 */
export class FlushScheduler {
  readonly #source: FlushSource
  readonly #timing: FlushTiming
  #passStartedAtMs = Number.NEGATIVE_INFINITY
  /** The subscribers that the current pass has not served yet; null between passes. */
  #unserved: Iterator<GroupMember> | null = null
  /** Messages published during the current pass. */
  #joined = 0
  #nextPass: NodeJS.Timeout | undefined
  #nextSlice: NodeJS.Immediate | undefined

  constructor(source: FlushSource, timing: FlushTiming) {
    this.#source = source
    this.#timing = timing
  }

  /** Schedules a pass for frames that were just buffered, unless one is running or scheduled. */
  schedule(): void {
    if (this.#unserved !== null) this.#joined += 1
    else if (this.#nextPass === undefined) this.#schedulePass(this.#passStartedAtMs)
  }

  /** Delivers all buffered frames synchronously. */
  flush(): void {
    if (this.#source.hasFrames()) this.#startPass(Number.POSITIVE_INFINITY)
  }

  /** Cancels the current and the scheduled pass. */
  stop(): void {
    clearTimeout(this.#nextPass)
    clearImmediate(this.#nextSlice)
    this.#nextPass = undefined
    this.#unserved = null
  }

  #schedulePass(sinceMs: number): void {
    const waitMs = sinceMs + this.#timing.windowMs - this.#timing.now()
    if (waitMs <= 0) this.#startPass(TIME_SLICE_MS)
    else this.#nextPass = setTimeout(() => this.#startPass(TIME_SLICE_MS), waitMs)
  }

  /** Starts a pass. It replaces one that is running. */
  #startPass(sliceMs: number): void {
    this.stop()
    this.#passStartedAtMs = this.#timing.now()
    this.#joined = 0
    this.#unserved = this.#source.beginPass()
    this.#runSlice(this.#unserved, sliceMs)
  }

  #runSlice(unserved: Iterator<GroupMember>, sliceMs: number): void {
    const endsAtMs = this.#timing.now() + sliceMs
    for (let next = unserved.next(); next.done !== true; next = unserved.next()) {
      next.value.group.deliver(next.value)
      if (this.#timing.now() < endsAtMs) continue
      this.#nextSlice = setImmediate(() => this.#runSlice(unserved, sliceMs))
      return
    }
    this.#endPass()
  }

  #endPass(): void {
    this.#unserved = null
    const isBusy = this.#joined >= BUSY_MESSAGES
    if (this.#source.endPass()) this.#schedulePass(isBusy ? this.#timing.now() : this.#passStartedAtMs)
  }
}
