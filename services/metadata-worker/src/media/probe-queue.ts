import type { Envelope } from '@looptide/contracts/events'
import { idFromName } from '@looptide/service-kit/db/ids'
import { jetstream } from '@looptide/service-kit/events/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { type Queue, UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { MetadataConfig } from '../config.ts'
import { BULL_PREFIX, openQueue } from '../queue/open-queue.ts'
import { UnreadableMediaError } from './media-fetch.ts'

const QUEUE_NAME = 'probes'
const ATTEMPTS = 6
const BACKOFF_MS = 5000
/** Failed probes are kept for a day (age in s), so that reminders do not repeat them before. */
const KEEP_FAILED = { age: 86_400, count: 5000 }
const CONCURRENCY = 2

/** A media file of the library with unknown duration. */
export interface MediaFile {
  videoId: string
  /** Absolute, or a path of this site. */
  url: string
}

interface Deps extends EventPublisher {
  /** The queue's connection. */
  failFast: Redis
  /** The worker's connection. */
  retrying: Redis
  logger: Logger
  /** `siteUrl` is the base of relative URLs. Files are fetched from its origin and `mediaOrigins` only. */
  config: Pick<MetadataConfig, 'siteUrl' | 'mediaOrigins' | 'lookup'>
}

/** Probes the durations of media files, one job for each video, and publishes `metadata.media.probed.v1`. */
export class ProbeQueue implements Background {
  readonly #deps: Deps
  readonly #queue: Queue<MediaFile, null, 'probe'>
  readonly #worker: Worker<MediaFile, null, 'probe'>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#queue = openQueue(QUEUE_NAME, deps.failFast)
    this.#worker = new Worker(QUEUE_NAME, async (job) => this.#probe(job.data), {
      connection: deps.retrying,
      prefix: BULL_PREFIX,
      autorun: false,
      concurrency: CONCURRENCY,
      lockDuration: deps.config.lookup.lockMs,
    })
    this.#worker.on('error', (error) => deps.logger.debug({ err: error }, 'probe queue unreachable'))
    this.#worker.on('failed', (job, error) =>
      deps.logger.warn({ err: error, videoId: job?.data.videoId }, 'media probe failed'),
    )
  }

  /** Queues the files that have no job. A failed probe counts as a job for a day. */
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
      this.#deps.logger.error({ err: error }, 'media probe worker stopped')
    })
  }

  async stop(): Promise<void> {
    await this.#worker.close(true)
    await this.#queue.close()
  }

  async #probe({ videoId, url }: MediaFile): Promise<null> {
    const { nats, keys } = this.#deps
    const { siteUrl, mediaOrigins } = this.#deps.config
    // Loaded by the first probe: the readers of media files take 10 MB.
    const { probeDuration } = await import('./probe-duration.ts')
    const origins = [siteUrl, ...mediaOrigins].map((url) => new URL(url).origin)
    const durationMs = await probeDuration(new URL(url, siteUrl), origins).catch((error: unknown) => {
      throw error instanceof UnreadableMediaError ? new UnrecoverableError(error.message) : error
    })
    const event: Envelope<'metadata.media.probed.v1'> = {
      // A probe that is repeated after a crash publishes the same event id, so consumers apply it once.
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
