import { streamName } from '@looptide/contracts/events'
import { highestDeliveredSeq } from '@looptide/service-kit/highest-delivered-seq'
import { newId } from '@looptide/service-kit/ids'
import type { Logger } from '@looptide/service-kit/logger'
import { pause } from '@looptide/service-kit/nats'
import {
  connectionChanges,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@looptide/service-kit/nats-client'
import {
  type EventPublisher,
  PUBLISH_TIMEOUT_MS,
  publishEnvelope,
} from '@looptide/service-kit/publish-envelope'
import type { Background } from '@looptide/service-kit/run-service'
import { queueEmptied } from './queue-emptied.ts'

const STREAM = streamName('metadata')
const EVERY_MS = 30_000
const RETRY_MS = 500
/** Messages that are published without waiting for each other. */
const AT_ONCE = 100

/**
 * Replaces what NATS has lost of the worker's own stream. After a power cut its newest messages may be gone, and a
 * durable consumer may be further than what is left: NATS delivers nothing to it until the stream has grown past its
 * position. The worker has no outbox to publish the outcomes again from, so it fills the stream up to there and makes the
 * catalogue request again what it still waits for. Any number of replicas may do so at once: a stream that is too long
 * harms nothing.
 */
export class OutcomeStream implements Background {
  readonly #publisher: EventPublisher
  readonly #logger: Logger
  readonly #everyMs: number
  readonly #stop = new AbortController()
  #wake = new AbortController()
  /** Outcomes may be lost since the last request for all that is missing. */
  #isRequestDue = true
  #running: Promise<void> | undefined

  constructor(publisher: EventPublisher, logger: Logger, everyMs = EVERY_MS) {
    this.#publisher = publisher
    this.#logger = logger
    this.#everyMs = everyMs
  }

  start(): void {
    if (this.#running !== undefined) return
    void this.#watchConnection()
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#publisher.nats)) {
      if (change !== 'reconnect') continue
      this.#isRequestDue = true
      this.#wake.abort()
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#wake = new AbortController()
      const restMs = await this.#check().then(
        () => this.#everyMs,
        (error: unknown) => {
          this.#logger.warn({ err: error }, 'outcome stream not checked')
          return RETRY_MS
        },
      )
      await pause(restMs, AbortSignal.any([signal, this.#wake.signal]))
    }
  }

  /**
   * Which outcomes are lost cannot be told: a new connection, too, may follow a power cut, and outcomes that no consumer
   * was given yet leave no trace. One request for all that is missing costs little.
   */
  async #check(): Promise<void> {
    const { nats, keys } = this.#publisher
    await this.#fill(await jetstreamManager(nats, { checkAPI: false, timeout: PUBLISH_TIMEOUT_MS }))
    if (!this.#isRequestDue) return
    this.#isRequestDue = false
    try {
      await publishEnvelope(jetstream(nats), keys, queueEmptied())
    } catch (error) {
      this.#isRequestDue = true
      throw error
    }
  }

  /**
   * Publishes one event again and again until the stream ends behind its furthest consumer; inboxes apply it once.
   */
  async #fill(manager: JetStreamManager): Promise<void> {
    const furthest = await highestDeliveredSeq(manager, STREAM)
    const { state } = await manager.streams.info(STREAM)
    let last = state.last_seq
    if (last >= furthest) return
    this.#isRequestDue = true
    this.#logger.warn({ last, furthest }, 'consumers are ahead of the outcome stream: filling it')
    const { nats, keys } = this.#publisher
    const js = jetstream(nats)
    const filler = queueEmptied()
    while (last <= furthest && !this.#stop.signal.aborted) {
      const count = Math.min(AT_ONCE, furthest + 1 - last)
      const acks = await Promise.all(
        Array.from({ length: count }, () => publishEnvelope(js, keys, filler, undefined, newId())),
      )
      last = Math.max(...acks.map(({ seq }) => seq))
    }
  }
}
