import type { MetadataJob, MetadataJobState } from '@looptide/contracts/http/metadata'
import { currentTraceParent } from '@looptide/service-kit/telemetry/tracing'
import type { Job, JobType, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'
import { openQueue } from './open-queue.ts'

export const QUEUE_NAME = 'look-ups'
/** Hash of the latest unanswered request of each YouTube id, as JSON. */
const REQUESTS_KEY = `${KEY_PREFIX}:requested`

/** A request for metadata. Event ids derive from `requestId`, so a repeated look-up publishes no new events. */
export interface LookupRequest {
  requestId: string
  /** Time of the request, in epoch ms. Results of later requests supersede earlier ones. */
  version: number
  correlationId: string | null
  /** Whether the catalogue repeats the request until it is answered. */
  isRepeated?: boolean
  /** W3C `traceparent` of the request. The look-up's span belongs to this trace. */
  traceParent?: string | null
}

export interface LookupJobData {
  youtubeId: string
}
export type LookupJob = Job<LookupJobData, null, 'look-up'>

/** BullMQ rejects numeric job ids, and a YouTube id may consist of 11 digits. */
const jobIdOf = (youtubeId: string): string => `v-${youtubeId}`

const TYPES: Record<MetadataJobState, readonly JobType[]> = {
  queued: ['wait', 'delayed'],
  fetching: ['active'],
  done: ['completed'],
  failed: ['failed'],
}
/** Maximum concurrent Redis commands. More would queue up and could time out. */
const CONCURRENCY = 50
/** Retention of finished jobs for the admin page; ages in s. */
const KEEP = { completed: { age: 3600, count: 1000 }, failed: { count: 5000 } }

/** The queue of look-up jobs. There is at most one job for each YouTube id. */
export class LookupQueue {
  readonly #queue: Queue<LookupJobData, null, 'look-up'>
  readonly #redis: Redis
  readonly #retry: { attempts: number; backoffMs: number }

  constructor(redis: Redis, retry: { attempts: number; backoffMs: number }) {
    this.#redis = redis
    this.#retry = retry
    this.#queue = openQueue(QUEUE_NAME, redis)
  }

  /**
   * Ensures that each of these videos is looked up after now. A waiting job keeps its place. A job delayed after a failure
   * runs at once if `force`. An ended job is replaced by a new one.
   */
  async request(youtubeIds: readonly string[], request: LookupRequest, force: boolean): Promise<void> {
    if (youtubeIds.length === 0) return
    // Stored before the job is added: `completeRequest` checks for a newer request when a job ends.
    const { traceParent = currentTraceParent() } = request
    const stored = JSON.stringify({ ...request, traceParent })
    await this.#redis.hset(REQUESTS_KEY, Object.fromEntries(youtubeIds.map((id) => [id, stored])))
    for (let from = 0; from < youtubeIds.length; from += CONCURRENCY) {
      await Promise.all(youtubeIds.slice(from, from + CONCURRENCY).map((id) => this.#prepareJob(id, force)))
    }
    await this.#queue.addBulk(
      youtubeIds.map((youtubeId) => ({
        name: 'look-up' as const,
        data: { youtubeId },
        opts: {
          jobId: jobIdOf(youtubeId),
          attempts: this.#retry.attempts,
          backoff: { type: 'exponential', delay: this.#retry.backoffMs },
          removeOnComplete: KEEP.completed,
          removeOnFail: KEEP.failed,
        },
      })),
    )
  }

  /** The ids without a job, or with a completed one. A failed job counts as a job: an admin decides whether to retry it. */
  async withoutJob(youtubeIds: readonly string[]): Promise<string[]> {
    const missing: string[] = []
    for (let from = 0; from < youtubeIds.length; from += CONCURRENCY) {
      const batch = youtubeIds.slice(from, from + CONCURRENCY)
      const hasJob = await Promise.all(batch.map((id) => this.#hasJob(id)))
      missing.push(...batch.filter((_, index) => hasJob[index] === false))
    }
    return missing
  }

  /** Redis finds the state of a waiting job by reading the whole queue, so that only what is needed is asked for. */
  async #hasJob(youtubeId: string): Promise<boolean> {
    const job = await this.#queue.getJob(jobIdOf(youtubeId))
    return job !== undefined && !(await job.isCompleted())
  }

  /** Removes an ended job so that a new one can be added; with `force`, promotes a delayed one. */
  async #prepareJob(youtubeId: string, force: boolean): Promise<void> {
    const job = await this.#queue.getJob(jobIdOf(youtubeId))
    const state = await job?.getState()
    if (state === 'completed' || state === 'failed') await job?.remove()
    else if (state === 'delayed' && force) await job?.promote().catch(() => undefined)
  }

  /** The latest unanswered request for this id. */
  async requestFor(youtubeId: string): Promise<LookupRequest | null> {
    const stored = await this.#redis.hget(REQUESTS_KEY, youtubeId)
    return stored === null ? null : (JSON.parse(stored) as LookupRequest)
  }

  /** Deletes an answered request. If a newer one has arrived meanwhile, queues that instead. */
  async completeRequest(youtubeId: string, answered: LookupRequest): Promise<void> {
    const latest = await this.requestFor(youtubeId)
    if (latest === null) return
    if (latest.requestId === answered.requestId) {
      await this.#deleteRequest(youtubeId, JSON.stringify(latest))
    } else {
      await this.request([youtubeId], latest, false)
    }
  }

  /** Deletes the request unless it has been replaced. */
  async #deleteRequest(youtubeId: string, stored: string): Promise<void> {
    const script = `if redis.call('hget', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('hdel', KEYS[1], ARGV[1]) end`
    await this.#redis.eval(script, 1, REQUESTS_KEY, youtubeId, stored)
  }

  /**
   * Called at start, after a possible crash: queues requests without a job and deletes those whose job has failed. Other
   * replicas answer requests meanwhile: each is read again before it is queued.
   */
  async recover(): Promise<void> {
    for (const [youtubeId, stored] of Object.entries(await this.#redis.hgetall(REQUESTS_KEY))) {
      const job = await this.#queue.getJob(jobIdOf(youtubeId))
      const state = await job?.getState()
      if (state === 'failed') await this.#deleteRequest(youtubeId, stored)
      else if (state === undefined || state === 'unknown' || state === 'completed') {
        const unanswered = await this.requestFor(youtubeId)
        if (unanswered !== null) await this.request([youtubeId], unanswered, false)
      }
    }
  }

  /** The job of a video; null if there is none. */
  async find(youtubeId: string): Promise<MetadataJob | null> {
    const job = await this.#queue.getJob(jobIdOf(youtubeId))
    if (job === undefined) return null
    const type = await job.getState()
    const state = (Object.keys(TYPES) as MetadataJobState[]).find((name) =>
      TYPES[name].some((jobType) => jobType === type || (jobType === 'wait' && type === 'waiting')),
    )
    return state === undefined ? null : presentJob(job, state)
  }

  /**
   * A page of the jobs in a state, and the position of the next page. Waiting jobs come before delayed ones; ended jobs are
   * sorted by latest first.
   */
  async list(
    state: MetadataJobState,
    limit: number,
    from: { type: number; offset: number },
  ): Promise<{ jobs: MetadataJob[]; next: { type: number; offset: number } | null }> {
    const types = TYPES[state]
    const type = types[from.type]
    if (type === undefined) return { jobs: [], next: null }
    const oldestFirst = state === 'queued' || state === 'fetching'
    const found = await this.#queue.getJobs([type], from.offset, from.offset + limit, oldestFirst)
    // A job may be removed between reading the ids and reading the job.
    const jobs = found.filter((job) => job !== undefined && job !== null).slice(0, limit)
    const hasMore = found.length > limit
    const nextType = from.type + 1 < types.length ? { type: from.type + 1, offset: 0 } : null
    return {
      jobs: jobs.map((job) => presentJob(job, state)),
      next: hasMore ? { type: from.type, offset: from.offset + limit } : nextType,
    }
  }

  /** The YouTube ids of the failed jobs, at most as many as {@link KEEP} keeps. */
  async failedIds(): Promise<string[]> {
    const jobs = await this.#queue.getJobs(['failed'], 0, KEEP.failed.count)
    return jobs.flatMap((job) => (job ? [job.data.youtubeId] : []))
  }

  /** The numbers of unfinished and failed jobs. */
  async counts(): Promise<{ queued: number; fetching: number; failed: number }> {
    const counts = await this.#queue.getJobCounts('wait', 'delayed', 'active', 'failed')
    return {
      queued: (counts.wait ?? 0) + (counts.delayed ?? 0),
      fetching: counts.active ?? 0,
      failed: counts.failed ?? 0,
    }
  }

  async close(): Promise<void> {
    await this.#queue.close()
  }
}

const presentJob = (job: LookupJob, state: MetadataJobState): MetadataJob => ({
  youtubeId: job.data.youtubeId,
  state,
  reason: job.failedReason ?? null,
  attempts: job.attemptsMade,
  updatedAtMs: job.finishedOn ?? job.processedOn ?? job.timestamp,
})
