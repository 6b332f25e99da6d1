import type { Envelope, EventType } from '@looptide/contracts/events'
import { decodeEvent, RejectedMessage } from './decode-envelope.ts'
import type { EventKeys } from './event-keys.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { NatsConnection, Subscription } from './nats-client.ts'
import { RejectedMessages } from './rejected-messages.ts'

export interface LiveEventsDeps {
  nats: NatsConnection
  keys: Pick<EventKeys, 'checkSignature'>
  logger: Logger
  metrics: Pick<Metrics, 'eventsRejected'>
}

/**
 * Hears events as they are published: a JetStream publish is an ordinary NATS message too. Only events signed by their
 * owner reach `take`. Nothing is stored: what is published while the connection is down is missed.
 */
export class LiveEvents {
  readonly #deps: LiveEventsDeps
  readonly #rejected: RejectedMessages
  #subscriptions: Subscription[] = []

  constructor(deps: LiveEventsDeps) {
    this.#deps = deps
    this.#rejected = new RejectedMessages({ ...deps, consumer: 'live' })
  }

  listen(types: readonly EventType[], take: (envelope: Envelope) => void): void {
    const { nats, keys, logger } = this.#deps
    for (const type of types) {
      const subscription = nats.subscribe(type, {
        callback: (error, message) => {
          if (error !== null) return logger.warn({ err: error, subject: type }, 'subscription failed')
          const envelope = decodeEvent(message, keys)
          if (envelope instanceof RejectedMessage) this.#rejected.count(message.subject, envelope)
          else if (envelope instanceof Error) logger.warn({ err: envelope }, 'event invalid')
          else take(envelope)
        },
      })
      this.#subscriptions.push(subscription)
    }
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
    this.#subscriptions = []
  }
}
