import { streamName } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import { pause } from '@looptide/service-kit/events/nats'
import {
  connectionChanges,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@looptide/service-kit/events/nats-client'
import {
  type EventPublisher,
  PUBLISH_TIMEOUT_MS,
  publishEnvelope,
} from '@looptide/service-kit/events/publish-envelope'
import { highestDeliveredSeq } from '@looptide/service-kit/events/streams/highest-delivered-seq'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/process/logger'
import { queueEmptied } from './queue-emptied.ts'

const STREAM = streamName('metadata')
const EVERY_MS = 30_000
const RETRY_MS = 500
/** Messages published concurrently. */
const BATCH_SIZE = 100

/**
 * Repairs the worker's stream after NATS has lost messages. After a power cut the newest messages may be missing while a
 * durable consumer is already past them. NATS then delivers nothing to that consumer until the stream has grown past its
 * position. The worker has no outbox from which it could publish the outcomes again. It fills the stream up to the
 * consumer's position and makes the catalogue request all missing metadata again. Several replicas may do this at once;
 * a stream that is filled too far does no harm.
 */
export class OutcomeStream implements Background {
  readonly #publisher: EventPublisher
  readonly #logger: Logger
  readonly #everyMs: number
  readonly #stop = new AbortController()
  #wake = new AbortController()
  /** Whether outcomes may have been lost since all missing metadata was last requested. */
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
      const delayMs = await this.#check().then(
        () => this.#everyMs,
        (error: unknown) => {
          this.#logger.warn({ err: error }, 'outcome stream not checked')
          return RETRY_MS
        },
      )
      await pause(delayMs, AbortSignal.any([signal, this.#wake.signal]))
    }
  }

  /**
   * Fills the stream and, if outcomes may be lost, requests all missing metadata. Lost outcomes cannot be identified: a
   * new connection may follow a power cut, and outcomes not yet delivered leave no trace. One request for everything that
   * is missing is cheap.
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

  /** Publishes the same event until the stream ends after its furthest consumer. Inboxes apply the event once. */
  async #fill(manager: JetStreamManager): Promise<void> {
    const furthest = await highestDeliveredSeq(manager, STREAM)
    const { state } = await manager.streams.info(STREAM)
    let last = state.last_seq
    if (last >= furthest) return
    this.#isRequestDue = true
    this.#logger.warn({ last, furthest }, 'outcome stream behind its consumers')
    const { nats, keys } = this.#publisher
    const js = jetstream(nats)
    const filler = queueEmptied()
    while (last <= furthest && !this.#stop.signal.aborted) {
      const count = Math.min(BATCH_SIZE, furthest + 1 - last)
      const acks = await Promise.all(
        Array.from({ length: count }, () => publishEnvelope(js, keys, filler, undefined, newId())),
      )
      last = Math.max(...acks.map(({ seq }) => seq))
    }
  }
}
