import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { rejectStoredCopy } from './decode-envelope.ts'
import type { NatsConnection, Subscription } from './nats-client.ts'
import { RejectedMessages } from './rejected-messages.ts'

interface LiveMessagesDeps {
  nats: NatsConnection
  logger: Logger
  metrics: Pick<Metrics, 'eventsRejected'>
}

/**
 * Receives unsigned messages over core NATS. Only NATS permissions say who publishes them, and JetStream may deliver a
 * stored message to any subject: such a message is rejected.
 */
export class LiveMessages {
  readonly #deps: LiveMessagesDeps
  readonly #rejected: RejectedMessages

  constructor(deps: LiveMessagesDeps) {
    this.#deps = deps
    this.#rejected = new RejectedMessages({ ...deps, consumer: 'live' })
  }

  /** Calls `handle` with the bytes of each message. */
  subscribe(subject: string, handle: (bytes: Uint8Array) => void): Subscription {
    const { nats, logger } = this.#deps
    return nats.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null) return logger.warn({ err: error, subject }, 'subscription failed')
        const rejected = rejectStoredCopy(message)
        if (rejected === undefined) handle(message.data)
        else this.#rejected.count(message.subject, rejected)
      },
    })
  }
}
