import { streamName } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import { type JetStreamManager, jetstream, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import {
  type EventPublisher,
  PUBLISH_TIMEOUT_MS,
  publishEnvelope,
} from '@looptide/service-kit/events/publish-envelope'
import { highestDeliveredSeq } from '@looptide/service-kit/events/streams/highest-delivered-seq'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { StreamTask } from '../stream-task.ts'
import { queueEmptied } from './loss-detector.ts'

const STREAM = streamName('metadata')
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
  readonly #task: StreamTask
  /** Whether outcomes may have been lost since all missing metadata was last requested. */
  #isRequestDue = true

  constructor(publisher: EventPublisher, logger: Logger, everyMs?: number) {
    this.#publisher = publisher
    this.#logger = logger
    this.#task = new StreamTask({
      nats: publisher.nats,
      logger,
      everyMs,
      failure: 'outcome stream not checked',
      onInterruption: () => {
        this.#isRequestDue = true
      },
      run: (signal) => this.#check(signal),
    })
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  /**
   * Fills the stream and, if outcomes may be lost, requests all missing metadata. Lost outcomes cannot be identified: a
   * new connection may follow a power cut, and outcomes not yet delivered leave no trace. One request for everything that
   * is missing is cheap.
   */
  async #check(signal: AbortSignal): Promise<boolean> {
    const { nats, keys } = this.#publisher
    await this.#fill(await jetstreamManager(nats, { checkAPI: false, timeout: PUBLISH_TIMEOUT_MS }), signal)
    if (!this.#isRequestDue) return true
    this.#isRequestDue = false
    try {
      await publishEnvelope(jetstream(nats), keys, queueEmptied())
    } catch (error) {
      this.#isRequestDue = true
      throw error
    }
    return true
  }

  /** Publishes the same event until the stream ends after its furthest consumer. Inboxes apply the event once. */
  async #fill(manager: JetStreamManager, signal: AbortSignal): Promise<void> {
    const furthest = await highestDeliveredSeq(manager, STREAM)
    const { state } = await manager.streams.info(STREAM)
    let last = state.last_seq
    if (last >= furthest) return
    this.#isRequestDue = true
    this.#logger.warn({ last, furthest }, 'outcome stream behind its consumers')
    const { nats, keys } = this.#publisher
    const js = jetstream(nats)
    const filler = queueEmptied()
    while (last <= furthest && !signal.aborted) {
      const count = Math.min(BATCH_SIZE, furthest + 1 - last)
      const acks = await Promise.all(
        Array.from({ length: count }, () => publishEnvelope(js, keys, filler, undefined, newId())),
      )
      last = Math.max(...acks.map(({ seq }) => seq))
    }
  }
}
