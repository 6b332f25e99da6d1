import type { WatchReport } from '@looptide/contracts/http/requests'

/** Time watched after a report that has failed until the next one, in ms. */
const RETRY_AFTER_MS = 60_000

interface ReporterOptions {
  report: () => Promise<Pick<WatchReport, 'nextAfterMs'>>
  /** A clock that never jumps, in ms. */
  nowMs: () => number
}

/**
 * Reports that the viewer watches: at first at once, then each time the viewer has watched for as long as the last answer
 * says. Pauses do not count, so after a long one the server sees a gap and does not count the time before it.
 */
export class WatchReporter {
  readonly #options: ReporterOptions
  /** Time to watch until the next report, in ms, counted from `#sinceMs` on. */
  #dueInMs = 0
  #sinceMs: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReporting = false

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  /** Says whether the viewer watches. Repeated calls with the same value change nothing. */
  update(isWatching: boolean): void {
    if (isWatching === (this.#sinceMs !== undefined)) return
    if (isWatching) {
      this.#sinceMs = this.#options.nowMs()
      this.#aim()
      return
    }
    clearTimeout(this.#timer)
    this.#dueInMs -= this.#options.nowMs() - (this.#sinceMs ?? 0)
    this.#sinceMs = undefined
  }

  #aim(): void {
    if (this.#isReporting) return
    this.#timer = setTimeout(() => void this.#report(), Math.max(0, this.#dueInMs))
  }

  async #report(): Promise<void> {
    this.#isReporting = true
    // The time of the request counts: the server counts from one report to the next.
    this.#dueInMs = 0
    this.#sinceMs = this.#options.nowMs()
    const nextAfterMs = await this.#options.report().then(
      (answer) => answer.nextAfterMs,
      () => RETRY_AFTER_MS,
    )
    this.#isReporting = false
    this.#dueInMs += nextAfterMs
    if (this.#sinceMs === undefined) return
    const nowMs = this.#options.nowMs()
    this.#dueInMs -= nowMs - this.#sinceMs
    this.#sinceMs = nowMs
    this.#aim()
  }
}
