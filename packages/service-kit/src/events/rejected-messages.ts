import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { REJECTION_REASONS, type RejectedMessage } from './decode-envelope.ts'

const LOG_EVERY_MS = 10_000

/** Counts the rejected messages of one consumer. Logs at most one every 10 s, with the number since the last entry. */
export class RejectedMessages {
  readonly #deps: { consumer: string; logger: Logger; metrics: Pick<Metrics, 'eventsRejected'> }
  #loggedAtMs = Number.NEGATIVE_INFINITY
  #unlogged = 0

  constructor(deps: { consumer: string; logger: Logger; metrics: Pick<Metrics, 'eventsRejected'> }) {
    this.#deps = deps
    // Initialized to 0, so that the first rejection shows as an increase.
    for (const reason of REJECTION_REASONS)
      deps.metrics.eventsRejected.inc({ consumer: deps.consumer, reason }, 0)
  }

  count(subject: string, { reason }: RejectedMessage): void {
    const { consumer, logger, metrics } = this.#deps
    metrics.eventsRejected.inc({ consumer, reason })
    this.#unlogged += 1
    if (performance.now() - this.#loggedAtMs < LOG_EVERY_MS) return
    logger.error({ consumer, subject, reason, count: this.#unlogged }, 'event rejected')
    this.#loggedAtMs = performance.now()
    this.#unlogged = 0
  }
}
