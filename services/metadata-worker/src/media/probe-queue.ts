import type { Envelope } from '@looptide/contracts/events'
import { idFromName } from '@looptide/service-kit/ids'
import type { Logger } from '@looptide/service-kit/logger'
import { jetstream } from '@looptide/service-kit/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/publish-envelope'
import type { Background } from '@looptide/service-kit/run-service'
import { Queue, UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { MetadataConfig } from '../config.ts'
import { BULL_PREFIX } from '../queue/lookup-queue.ts'
import { UnreadableMediaError } from './media-fetch.ts'
import { probeDuration } from './probe-duration.ts'

const QUEUE_NAME = 'probes'
const ATTEMPTS = 6
const BACKOFF_MS = 5000
/** A failed probe stays, so that reminders do not repeat it at once. */
const KEEP_FAILED = { age: 86_400, count: 5000 }
const AT_ONCE = 2

/** A media file of the library whose duration nobody knows. */
export interface MediaFile {
  videoId: string
  /** Absolute, or a path of this site. */
  url: string
}

interface Deps extends EventPublisher {
  /** For the queue: fails soon while Redis is away. */
  prompt: Redis
  /** For the worker: waits for Redis. */
  patient: Redis
  logger: Logger
  /** `siteUrl` is the base of relative addresses; it and `mediaOrigins` may be asked. */
  config: Pick<MetadataConfig, 'siteUrl' | 'mediaOrigins' | 'lookup'>
}

/** Probes the durations of media files, one job for each video, and publishes `metadata.media.probed.v1`. */
export class ProbeQueue implements Background {
  readonly #deps: Deps
  readonly #queue: Queue<MediaFile, null, 'probe'>
  readonly #worker: Worker<MediaFile, null, 'probe'>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#queue = new Queue(QUEUE_NAME, { connection: deps.prompt, prefix: BULL_PREFIX })
    this.#queue.on('error', () => undefined)
    this.#worker = new Worker(QUEUE_NAME, async (job) => this.#probe(job.data), {
      connection: deps.patient,
      prefix: BULL_PREFIX,
      autorun: false,
      concurrency: AT_ONCE,
      lockDuration: deps.config.lookup.lockMs,
    })
    this.#worker.on('error', (error) => deps.logger.debug({ err: error }, 'probe queue not reachable'))
    this.#worker.on('failed', (job, error) =>
      deps.logger.warn({ err: error, videoId: job?.data.videoId }, 'media probe failed'),
    )
  }

  /** Queues those that have no job yet; a failed probe is one for a day. */
  async request(files: readonly MediaFile[]): Promise<void> {
    await this.#queue.addBulk(
      files.map((file) => ({
        name: 'probe' as const,
        data: file,
        opts: {
          jobId: `m-${file.videoId}`,
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: BACKOFF_MS },
          removeOnComplete: true,
          removeOnFail: KEEP_FAILED,
        },
      })),
    )
  }

  start(): void {
    void this.#worker.run().catch((error: unknown) => {
      this.#deps.logger.error({ err: error }, 'media probes stopped')
    })
  }

  async stop(): Promise<void> {
    await this.#worker.close(true)
    await this.#queue.close()
  }

  async #probe({ videoId, url }: MediaFile): Promise<null> {
    const { nats, keys } = this.#deps
    const { siteUrl, mediaOrigins } = this.#deps.config
    const origins = [siteUrl, ...mediaOrigins].map((address) => new URL(address).origin)
    const durationMs = await probeDuration(new URL(url, siteUrl), origins).catch((error: unknown) => {
      throw error instanceof UnreadableMediaError ? new UnrecoverableError(error.message) : error
    })
    const event: Envelope<'metadata.media.probed.v1'> = {
      // A probe that is repeated after a crash repeats the event: it is applied once.
      id: idFromName(`metadata.media.probed.v1:${videoId}:${url}:${durationMs}`),
      type: 'metadata.media.probed.v1',
      occurredAt: new Date().toISOString(),
      actorId: null,
      correlationId: null,
      aggregateId: videoId,
      aggregateVersion: Date.now(),
      data: { videoId, url, durationMs },
    }
    await publishEnvelope(jetstream(nats), keys, event)
    return null
  }
}
