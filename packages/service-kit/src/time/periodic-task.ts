import type { Logger } from '../telemetry/logger.ts'
import { pause } from '../time/pause.ts'

interface TaskOptions {
  logger: Logger
  everyMs: number
  /** True: the first run begins at `start`. False: after the first interval. */
  atStart: boolean
  /** The log line of a run that throws, as in `view marks not pruned`. */
  failure: string
  /** One run. It should stop early when `signal` fires. */
  run: (signal: AbortSignal) => Promise<void>
}

/**
 * Background work that repeats, one run at a time. A run that throws is logged and repeated after the interval. Not
 * `toad-scheduler`: stopping aborts the run in progress and waits for it.
 */
export class PeriodicTask {
  readonly #options: TaskOptions
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: TaskOptions) {
    this.#options = options
  }

  start(): void {
    this.#running ??= this.#repeat()
  }

  /** Resolves when the run in progress has ended. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #repeat(): Promise<void> {
    const { logger, everyMs, atStart, failure, run } = this.#options
    const { signal } = this.#stop
    if (!atStart) await pause(everyMs, signal)
    while (!signal.aborted) {
      await run(signal).catch((error: unknown) => logger.warn({ err: error }, failure))
      await pause(everyMs, signal)
    }
  }
}
