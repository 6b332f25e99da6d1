import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { addTally, emptyTally, type Tally } from './viewers.ts'

/** Messages of one step: numbered from `firstSeq`, the first due at `startMs` (epoch), `rate` a second. */
export interface ExpectedMessages {
  firstSeq: number
  total: number
  rate: number
  startMs: number
  /** Not messages are expected, but the sums of reactions that the hub sends once a second. */
  ofReactions?: boolean
}

/** Reactions of every viewer, or of one in each thread, spread evenly. */
export interface Taps {
  by: 'all' | 'one'
  perSecond: number
  overMs: number
}

/**
 * What a thread is told. It answers each with one message: `arrive` with the duration in ms, `complete` with whether every
 * viewer has the last expected message, `tally` with a {@link Tally}.
 */
export type ThreadRequest =
  | { kind: 'arrive'; port: number; tokens: (string | null)[] }
  | ({ kind: 'expect' } & ExpectedMessages)
  | ({ kind: 'tap' } & Taps)
  | { kind: 'complete' }
  | { kind: 'tally' }
  | { kind: 'leave' }

/** With one thread its receivers, and not the hub, would end a climb: the hub then uses 0.4 of a core. */
const THREADS = 2

/** Epoch ms with fractions. Threads of one process agree about it. */
export const preciseNowMs = (): number => performance.timeOrigin + performance.now()

/** Viewers as in `viewers.ts`, divided among threads. */
export class ViewerThreads {
  readonly #threads = Array.from(
    { length: THREADS },
    () => new Worker(new URL('./viewer-thread.ts', import.meta.url)),
  )
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Connects one viewer per token. Resolves with the duration in ms, of the slower thread. */
  async arrive(port: number, tokens: readonly (string | null)[]): Promise<number> {
    this.#size = tokens.length
    const share = (index: number) => tokens.filter((_, position) => position % THREADS === index)
    return Math.max(...(await this.#ask<number>((index) => ({ kind: 'arrive', port, tokens: share(index) }))))
  }

  /** Resets the counters before messages are sent. */
  async expect(messages: ExpectedMessages): Promise<void> {
    await this.#ask(() => ({ kind: 'expect', ...messages }))
  }

  /** Viewers send reactions. Resolves after the last one. */
  async tap(taps: Taps): Promise<void> {
    await this.#ask(() => ({ kind: 'tap', ...taps }))
  }

  /** Whether every viewer has the last expected message. */
  async isComplete(): Promise<boolean> {
    return (await this.#ask<boolean>(() => ({ kind: 'complete' }))).every(Boolean)
  }

  /** Totals of all viewers since {@link expect}. */
  async tally(): Promise<Tally> {
    return (await this.#ask<Tally>(() => ({ kind: 'tally' }))).reduce(addTally, emptyTally())
  }

  async leave(): Promise<void> {
    await this.#ask(() => ({ kind: 'leave' }))
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }

  #ask<T>(request: (index: number) => ThreadRequest): Promise<T[]> {
    return Promise.all(
      this.#threads.map(async (thread, index) => {
        const answer = once(thread, 'message')
        thread.postMessage(request(index))
        const [value] = (await answer) as [T]
        return value
      }),
    )
  }
}
