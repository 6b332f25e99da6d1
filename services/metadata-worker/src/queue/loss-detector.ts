import type { Logger } from '@looptide/service-kit/logger'
import { pause } from '@looptide/service-kit/nats'
import { jetstream } from '@looptide/service-kit/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/publish-envelope'
import type { Background } from '@looptide/service-kit/run-service'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'
import { queueEmptied } from './queue-emptied.ts'

const MARKER = `${KEY_PREFIX}:marker`
const EVERY_MS = 5000

/**
 * Detects that Redis has lost its data: a marker key is gone. The catalogue is then asked, by an event, to request
 * again what it still waits for. The marker is written after the event is acknowledged, so no loss goes unreported.
 */
export class LossDetector implements Background {
  readonly #redis: Redis
  readonly #publisher: EventPublisher
  readonly #logger: Logger
  readonly #everyMs: number
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(redis: Redis, publisher: EventPublisher, logger: Logger, everyMs = EVERY_MS) {
    this.#redis = redis
    this.#publisher = publisher
    this.#logger = logger
    this.#everyMs = everyMs
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#check().catch((error: unknown) => this.#logger.warn({ err: error }, 'job loss not checked'))
      await pause(this.#everyMs, this.#stop.signal)
    }
  }

  async #check(): Promise<void> {
    if ((await this.#redis.exists(MARKER)) === 1) return
    const event = queueEmptied()
    const { nats, keys } = this.#publisher
    await publishEnvelope(jetstream(nats), keys, event)
    await this.#redis.set(MARKER, event.id)
    this.#logger.warn('look-up queue was empty of all data, requests repeated')
  }
}
