import type { Envelope, EventType } from '@looptide/contracts/events'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { decodeEvent, RejectedMessage } from './decode-envelope.ts'
import type { EventKeys } from './event-keys.ts'
import type { NatsConnection, Subscription } from './nats-client.ts'
import { RejectedMessages } from './rejected-messages.ts'

export interface LiveEventsDeps {
  nats: NatsConnection
  keys: Pick<EventKeys, 'checkSignature'>
  logger: Logger
  metrics: Pick<Metrics, 'eventsRejected'>
}

/**
 * Receives events over core NATS as they are published: a JetStream publish is also an ordinary NATS message. Only events
 * signed by their owner reach the handler. Events published while the connection is down are missed.
 */
export class LiveEvents {
  readonly #deps: LiveEventsDeps
  readonly #rejected: RejectedMessages
  #subscriptions: Subscription[] = []

  constructor(deps: LiveEventsDeps) {
    this.#deps = deps
    this.#rejected = new RejectedMessages({ ...deps, consumer: 'live' })
  }

  listen(types: readonly EventType[], handle: (envelope: Envelope) => void): void {
    const { nats, keys, logger } = this.#deps
    for (const type of types) {
      const subscription = nats.subscribe(type, {
        callback: (error, message) => {
          if (error !== null) return logger.warn({ err: error, subject: type }, 'subscription failed')
          const envelope = decodeEvent(message, keys)
          if (envelope instanceof RejectedMessage) this.#rejected.count(message.subject, envelope)
          else if (envelope instanceof Error) logger.warn({ err: envelope }, 'event invalid')
          else handle(envelope)
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
