import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { type Job, type Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { BULL_PREFIX, openQueue } from '../queue/open-queue.ts'
import { type ListReaderDeps, type ListRequest, publishFailure, readList } from './read-list.ts'

const QUEUE_NAME = 'followed-lists'
/** Attempts before a reading is reported as failed. The catalogue requests it again later. */
const ATTEMPTS = 4
/** Number of crashes while processing a job after which the job is dropped. The catalogue requests it again. */
const MAX_STALLS = 20

type ListJob = Job<ListRequest, null, 'read'>

interface Deps extends ListReaderDeps {
  /** The queue's connection. */
  failFast: Redis
  /** The worker's connection. */
  retrying: Redis
  logger: Logger
  /** `lockMs` and `backoffMs` as for look-ups. */
  lookup: { lockMs: number; backoffMs: number }
}

/** Reads followed lists, one job for each list, and publishes `metadata.playlist.read.v1` or `metadata.playlist.failed.v1`. */
export class ListQueue implements Background {
  readonly #deps: Deps
  readonly #queue: Queue<ListRequest, null, 'read'>
  readonly #worker: Worker<ListRequest, null, 'read'>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#queue = openQueue(QUEUE_NAME, deps.failFast)
    this.#worker = new Worker(QUEUE_NAME, (job) => this.#read(job), {
      connection: deps.retrying,
      prefix: BULL_PREFIX,
      autorun: false,
      lockDuration: deps.lookup.lockMs,
      stalledInterval: deps.lookup.lockMs,
      maxStalledCount: MAX_STALLS,
    })
    this.#worker.on('error', (error) => deps.logger.debug({ err: error }, 'followed list queue unreachable'))
  }

  /** Queues a reading unless the list has a job. */
  async request(request: ListRequest): Promise<void> {
    await this.#queue.add('read', request, {
      jobId: `l-${request.listId}`,
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: this.#deps.lookup.backoffMs },
      removeOnComplete: true,
      removeOnFail: true,
    })
  }

  start(): void {
    void this.#worker.run().catch((error: unknown) => {
      this.#deps.logger.error({ err: error }, 'followed list worker stopped')
    })
  }

  async stop(): Promise<void> {
    await this.#worker.close(true)
    await this.#queue.close()
  }

  /** Temporary failures are retried; the last one is reported. */
  async #read(job: ListJob): Promise<null> {
    try {
      await readList(this.#deps, job.data)
    } catch (error) {
      this.#deps.logger.warn({ err: error, listId: job.data.listId }, 'followed list not read')
      if (job.attemptsMade + 1 < ATTEMPTS) throw error
      const message = error instanceof Error ? error.message : String(error)
      await publishFailure(this.#deps, job.data.listId, { code: 'unreachable', message, continuesAtMs: null })
    }
    return null
  }
}
