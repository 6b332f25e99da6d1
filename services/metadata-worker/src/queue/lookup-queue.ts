import type { MetadataJob, MetadataJobState } from '@looptide/contracts/http/metadata'
import { currentTraceParent } from '@looptide/service-kit/tracing'
import { type Job, type JobType, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'

export const QUEUE_NAME = 'look-ups'
export const BULL_PREFIX = `${KEY_PREFIX}:bull`
const REQUESTED = `${KEY_PREFIX}:requested`

/** What was asked for. `requestId` makes the answer's event id, so a repeated look-up repeats no event. */
export interface LookupRequest {
  requestId: string
  /** Epoch ms of the request: what is asked later is newer news. */
  version: number
  correlationId: string | null
  /** The trace of the request, as a W3C `traceparent`; the look-up belongs to it, however much later it is. */
  traceParent?: string | null
}

export interface LookupJobData {
  youtubeId: string
}
export type LookupJob = Job<LookupJobData, null, 'look-up'>

/** BullMQ takes no id that is a number, which an 11-digit YouTube id would be. */
const jobIdOf = (youtubeId: string): string => `v-${youtubeId}`

const TYPES: Record<MetadataJobState, readonly JobType[]> = {
  queued: ['wait', 'delayed'],
  fetching: ['active'],
  done: ['completed'],
  failed: ['failed'],
}
/** Questions to Redis that are under way together: more would only wait in line and seem lost. */
const AT_ONCE = 50
/** How many finished jobs stay to be looked at. */
const KEEP = { completed: { age: 3600, count: 1000 }, failed: { count: 5000 } }

/** The look-ups that wait, run or have ended: one job for each YouTube id, never two. */
export class LookupQueue {
  readonly #queue: Queue<LookupJobData, null, 'look-up'>
  readonly #redis: Redis
  readonly #retry: { attempts: number; backoffMs: number }

  constructor(redis: Redis, retry: { attempts: number; backoffMs: number }) {
    this.#redis = redis
    this.#retry = retry
    this.#queue = new Queue(QUEUE_NAME, { connection: redis, prefix: BULL_PREFIX })
    this.#queue.on('error', () => undefined)
  }

  /**
   * Makes sure that each of these is looked up after now. One that is waiting already is left where it is;
   * one that rests after a failure is tried at once when `force` says so; one that has ended starts anew.
   */
  async request(youtubeIds: readonly string[], request: LookupRequest, force: boolean): Promise<void> {
    if (youtubeIds.length === 0) return
    // Noted before the job is made: whoever ends a job looks here for a request that came meanwhile.
    const { traceParent = currentTraceParent() } = request
    const note = JSON.stringify({ ...request, traceParent })
    await this.#redis.hset(REQUESTED, Object.fromEntries(youtubeIds.map((id) => [id, note])))
    for (let from = 0; from < youtubeIds.length; from += AT_ONCE) {
      await Promise.all(youtubeIds.slice(from, from + AT_ONCE).map((id) => this.#makeRoom(id, force)))
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

  /**
   * Those of `youtubeIds` that nobody looks up or will look up: without a job, or with one that is done. A failed job
   * stays: an admin decides about it.
   */
  async withoutJob(youtubeIds: readonly string[]): Promise<string[]> {
    const missing: string[] = []
    for (let from = 0; from < youtubeIds.length; from += AT_ONCE) {
      const some = youtubeIds.slice(from, from + AT_ONCE)
      const states = await Promise.all(some.map((id) => this.#queue.getJobState(jobIdOf(id))))
      missing.push(...some.filter((_, index) => ['unknown', 'completed'].includes(states[index] ?? '')))
    }
    return missing
  }

  async #makeRoom(youtubeId: string, force: boolean): Promise<void> {
    const job = await this.#queue.getJob(jobIdOf(youtubeId))
    const state = await job?.getState()
    if (state === 'completed' || state === 'failed') await job?.remove()
    else if (state === 'delayed' && force) await job?.promote().catch(() => undefined)
  }

  /** The latest request for this id that nobody has answered. */
  async requestFor(youtubeId: string): Promise<LookupRequest | null> {
    const note = await this.#redis.hget(REQUESTED, youtubeId)
    return note === null ? null : (JSON.parse(note) as LookupRequest)
  }

  /** This request is answered. If another came while it was, that one is queued. */
  async settle(youtubeId: string, answered: LookupRequest | null): Promise<void> {
    const latest = await this.requestFor(youtubeId)
    if (latest === null) return
    if (answered !== null && latest.requestId === answered.requestId) {
      await this.#forget(youtubeId, JSON.stringify(latest))
    } else {
      await this.request([youtubeId], latest, false)
    }
  }

  async #forget(youtubeId: string, note: string): Promise<void> {
    const script = `if redis.call('hget', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('hdel', KEYS[1], ARGV[1]) end`
    await this.#redis.eval(script, 1, REQUESTED, youtubeId, note)
  }

  /** After a crash: what was asked for and has no job is queued; what had ended is forgotten. */
  async recover(): Promise<void> {
    for (const [youtubeId, note] of Object.entries(await this.#redis.hgetall(REQUESTED))) {
      const job = await this.#queue.getJob(jobIdOf(youtubeId))
      const state = await job?.getState()
      if (state === 'failed') await this.#forget(youtubeId, note)
      else if (state === undefined || state === 'unknown' || state === 'completed') {
        await this.request([youtubeId], JSON.parse(note) as LookupRequest, false)
      }
    }
  }

  async find(youtubeId: string): Promise<MetadataJob | null> {
    const job = await this.#queue.getJob(jobIdOf(youtubeId))
    if (job === undefined) return null
    const type = await job.getState()
    const state = (Object.keys(TYPES) as MetadataJobState[]).find((name) =>
      TYPES[name].some((known) => known === type || (known === 'wait' && type === 'waiting')),
    )
    return state === undefined ? null : presentJob(job, state)
  }

  /**
   * A page of the jobs in a state, and where the next one begins: waiting ones before resting ones,
   * ended ones the latest first.
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
    // A job may end between the list of ids and its own reading.
    const jobs = found.filter((job) => job !== undefined && job !== null).slice(0, limit)
    const more = found.length > limit
    const otherType = from.type + 1 < types.length ? { type: from.type + 1, offset: 0 } : null
    return {
      jobs: jobs.map((job) => presentJob(job, state)),
      next: more ? { type: from.type, offset: from.offset + limit } : otherType,
    }
  }

  /** The YouTube ids of all that failed and are kept: at most {@link KEEP}'s. */
  async failedIds(): Promise<string[]> {
    const jobs = await this.#queue.getJobs(['failed'], 0, KEEP.failed.count)
    return jobs.flatMap((job) => (job ? [job.data.youtubeId] : []))
  }

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
