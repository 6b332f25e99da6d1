import { REACTIONS, type Reaction, type ReactionCounts } from '@looptide/contracts/realtime'
import { createStore } from '../player/live-state.ts'

/** How long a reaction is counted, in ms. */
export const SHOWN_MS = 10_000
const SECOND_MS = 1_000
/** More are refused by the gateway (docs/protocols/realtime.md). */
const PER_SECOND = 4

/**
 * The reactions of the last ten seconds to a channel. Those of this viewer count from the press on; they are not counted
 * again when the sums of all viewers, which contain them, arrive.
 */
export class RecentReactions {
  readonly counts = createStore<ReactionCounts>({})
  #received: { atMs: number; counts: ReactionCounts }[] = []
  /** Of this viewer, not yet contained in a received sum. */
  #own: { atMs: number; emoji: Reaction }[] = []
  #sentAtMs: number[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Sends a reaction of this viewer and counts it, unless it is one too many or `send` returns false. */
  react(emoji: Reaction, send: () => boolean): void {
    const nowMs = performance.now()
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => nowMs - atMs < SECOND_MS)
    if (this.#sentAtMs.length >= PER_SECOND || !send()) return
    this.#sentAtMs.push(nowMs)
    this.#own.push({ atMs: nowMs, emoji })
    this.#update()
  }

  /** Counts the sums of a second, as the server sends them. */
  receive(counts: ReactionCounts): void {
    this.#received.push({ atMs: performance.now(), counts })
    const left = { ...counts }
    this.#own = this.#own.filter(({ emoji }) => {
      const count = left[emoji] ?? 0
      left[emoji] = count - 1
      return count <= 0
    })
    this.#update()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #update(): void {
    const sinceMs = performance.now() - SHOWN_MS
    const isRecent = ({ atMs }: { atMs: number }) => atMs > sinceMs
    this.#received = this.#received.filter(isRecent)
    this.#own = this.#own.filter(isRecent)
    const sums: ReactionCounts = {}
    const add = (emoji: Reaction, count: number) => {
      if (count > 0) sums[emoji] = (sums[emoji] ?? 0) + count
    }
    for (const { counts } of this.#received) for (const emoji of REACTIONS) add(emoji, counts[emoji] ?? 0)
    for (const { emoji } of this.#own) add(emoji, 1)
    this.counts.set(sums)

    clearTimeout(this.#timer)
    const oldestAtMs = Math.min(...[...this.#received, ...this.#own].map(({ atMs }) => atMs))
    if (oldestAtMs < Number.POSITIVE_INFINITY) {
      // Rounded up: a timer that fires a fraction of a millisecond early would find nothing to end.
      this.#timer = setTimeout(() => this.#update(), Math.ceil(oldestAtMs - sinceMs))
    }
  }
}
