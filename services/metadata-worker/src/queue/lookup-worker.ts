import { LIVE_SUBJECTS, type MetadataProgress } from '@looptide/contracts/events'
import type { MetadataJobState } from '@looptide/contracts/http/metadata'
import { newId } from '@looptide/service-kit/ids'
import type { Logger } from '@looptide/service-kit/logger'
import { pause, retryUntil } from '@looptide/service-kit/nats'
import { jetstream } from '@looptide/service-kit/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/publish-envelope'
import type { Background } from '@looptide/service-kit/run-service'
import { type OpenSpan, openSpan, runToEnd } from '@looptide/service-kit/tracing'
import { UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Counter } from 'prom-client'
import { type Outcome, QuotaOutError, ThrottledError, type YoutubeClient } from '../youtube/outcome.ts'
import {
  BULL_PREFIX,
  type LookupJob,
  type LookupJobData,
  type LookupQueue,
  type LookupRequest,
  QUEUE_NAME,
} from './lookup-queue.ts'
import { eventsOf } from './publish-outcome.ts'
import type { QuotaLedger } from './quota-ledger.ts'

interface WorkerDeps extends EventPublisher {
  redis: Redis
  queue: LookupQueue
  ledger: QuotaLedger
  client: YoutubeClient
  logger: Logger
  lookups: Counter<'outcome'>
  /** A job whose worker says nothing for so long is given to another, in ms. */
  lockMs: number
  now: () => number
}

/** A worker may be killed this often over one video before the video is to blame. */
const MOST_STALLS = 20
/** How long a batch that is not full waits for more, in ms. */
const GATHER_MS = 40
const CHECK_PAUSE_MS = 200

/**
 * Fetches jobs by the batch, asks YouTube once for all of them, publishes what it says and only then
 * ends the jobs. Killed in between, another worker (or this one, started again) takes them up after
 * `lockMs` and says the same again, under the same event ids.
 */
export class LookupWorker implements Background {
  readonly #deps: WorkerDeps
  readonly #worker: Worker<LookupJobData, null, 'look-up'>
  readonly #token = newId()
  readonly #stop = new AbortController()
  readonly #inHand = new Map<string, LookupJob>()
  #renewal: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: WorkerDeps) {
    this.#deps = deps
    this.#worker = new Worker(QUEUE_NAME, null, {
      connection: deps.redis,
      prefix: BULL_PREFIX,
      autorun: false,
      lockDuration: deps.lockMs,
      stalledInterval: deps.lockMs,
      maxStalledCount: MOST_STALLS,
      drainDelay: 1,
    })
    this.#worker.on('error', (error) => deps.logger.debug({ err: error }, 'the queue cannot be reached'))
  }

  start(): void {
    this.#running ??= this.#run()
    // The renewal must outpace the lock.
    this.#renewal = setInterval(() => void this.#renewLocks(), this.#deps.lockMs / 3)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.race([this.#worker.close(true), pause(1000, new AbortController().signal)])
    await this.#running
    clearInterval(this.#renewal)
  }

  async #run(): Promise<void> {
    const { logger, queue } = this.#deps
    const { signal } = this.#stop
    void this.#worker.startStalledCheckTimer().catch(() => undefined)
    await retryUntil(
      () => queue.recover(),
      signal,
      (error) => logger.warn({ err: error }, 'the queue is not there yet'),
    )
    while (!signal.aborted) {
      try {
        await this.#turn()
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'the look-ups start over')
        await pause(500, signal)
      }
    }
  }

  async #turn(): Promise<void> {
    if ((await this.#deps.ledger.pausedUntil()) !== null) {
      await pause(CHECK_PAUSE_MS, this.#stop.signal)
      return
    }
    try {
      const batch = await this.#gather()
      if (batch.length > 0) await this.#process(batch)
    } finally {
      this.#inHand.clear()
    }
  }

  async #gather(): Promise<LookupJob[]> {
    const first = await this.#worker.getNextJob(this.#token)
    if (first === undefined) return []
    const batch = [this.#take(first)]
    for (let waited = false; batch.length < this.#deps.client.batchSize; ) {
      const next = await this.#worker.getNextJob(this.#token, { block: false })
      if (next !== undefined) batch.push(this.#take(next))
      else if (waited || this.#stop.signal.aborted) break
      else {
        waited = true
        await pause(GATHER_MS, this.#stop.signal)
      }
    }
    return batch
  }

  /** From now on the job's lock is renewed: gathering a batch may take longer than a lock lasts. */
  #take(job: LookupJob): LookupJob {
    this.#inHand.set(job.data.youtubeId, job)
    return job
  }

  async #process(batch: readonly LookupJob[]): Promise<void> {
    for (const job of batch) this.#tell(job.data.youtubeId, 'fetching', null)
    // Read before YouTube is asked: a request that comes later than this is not answered by it.
    const requests = await Promise.all(batch.map((job) => this.#deps.queue.requestFor(job.data.youtubeId)))
    const asked = batch.map((job, index) => {
      const request = requests[index] ?? null
      return { job, request, span: openJob(request) }
    })
    let outcomes: Map<string, Outcome>
    try {
      outcomes = await this.#deps.client.lookUp(batch.map((job) => job.data.youtubeId))
    } catch (error) {
      for (const { span } of asked) span.end(error)
      await this.#failAll(batch, requests, error)
      return
    }
    await Promise.all(
      asked.map(({ job, request, span }) =>
        runToEnd(span, () => this.#settle(job, request, outcomes.get(job.data.youtubeId))),
      ),
    )
  }

  /** Tells what YouTube said of one video, and only then ends its job. */
  async #settle(job: LookupJob, asked: LookupRequest | null, said: Outcome | undefined): Promise<void> {
    const { youtubeId } = job.data
    const outcome = said ?? { kind: 'failed', error: new Error('no answer') }
    const request = asked ?? { requestId: newId(), version: 0, correlationId: null }
    for (const event of eventsOf(youtubeId, request, outcome, new Date(this.#deps.now()).toISOString())) {
      await this.#publish(event)
    }
    if (this.#stop.signal.aborted) return
    const ended = await this.#end(job, outcome)
    if (ended) await this.#deps.queue.settle(youtubeId, request)
  }

  /** Until JetStream has acknowledged it, however long NATS is away; the job's lock is renewed meanwhile. */
  async #publish(event: Parameters<typeof publishEnvelope>[2]): Promise<void> {
    const { nats, keys, logger } = this.#deps
    await retryUntil(
      async () => void (await publishEnvelope(jetstream(nats), keys, event)),
      this.#stop.signal,
      (error, attempt) => logger.warn({ err: error, attempt }, 'an outcome is not published yet'),
    )
  }

  /** Ends a job, or puts it to rest before its next attempt. True when it has ended, one way or the other. */
  async #end(job: LookupJob, outcome: Outcome): Promise<boolean> {
    const { youtubeId } = job.data
    this.#deps.lookups.inc({ outcome: outcome.kind })
    if (outcome.kind === 'resolved') {
      await job.moveToCompleted(null, this.#token, false)
      this.#inHand.delete(youtubeId)
      this.#tell(youtubeId, 'done', null)
      return true
    }
    const error = outcome.kind === 'unavailable' ? new UnrecoverableError(outcome.reason) : outcome.error
    return this.#fail(job, error)
  }

  async #fail(job: LookupJob, error: Error): Promise<boolean> {
    await job.moveToFailed(error, this.#token, false)
    this.#inHand.delete(job.data.youtubeId)
    const state = await job.getState()
    const ended = state === 'failed'
    this.#tell(job.data.youtubeId, ended ? 'failed' : 'queued', error.message)
    return ended
  }

  /** The whole question failed. A quota that is out is nobody's fault: the jobs wait as if never fetched. */
  async #failAll(
    batch: readonly LookupJob[],
    requests: readonly (LookupRequest | null)[],
    error: unknown,
  ): Promise<void> {
    const { ledger, logger, queue, now } = this.#deps
    if (error instanceof QuotaOutError) {
      const untilMs = await ledger.pauseUntilRenewal()
      logger.warn({ untilMs, jobs: batch.length }, 'the quota is used up')
      for (const job of batch) {
        await job.moveToWait(this.#token)
        this.#tell(job.data.youtubeId, 'queued', error.message)
      }
      return
    }
    if (error instanceof ThrottledError) await ledger.pauseUntil(now() + error.retryAfterMs)
    const fault = error instanceof Error ? error : new Error(String(error))
    logger.warn({ err: fault, jobs: batch.length }, 'a look-up failed')
    for (const [index, job] of batch.entries()) {
      this.#deps.lookups.inc({ outcome: 'failed' })
      if (await this.#fail(job, fault)) await queue.settle(job.data.youtubeId, requests[index] ?? null)
    }
  }

  async #renewLocks(): Promise<void> {
    const ids = [...this.#inHand.values()].flatMap((job) => job.id ?? [])
    if (ids.length === 0) return
    const tokens = ids.map(() => this.#token)
    await this.#worker.extendJobLocks(ids, tokens, this.#deps.lockMs).catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'locks not renewed')
    })
  }

  /** For whoever watches just now; a progress nobody sees is no loss. */
  #tell(youtubeId: string, state: MetadataJobState, reason: string | null): void {
    const progress: MetadataProgress = { youtubeId, state, reason }
    try {
      this.#deps.nats.publish(LIVE_SUBJECTS.metadataProgress, JSON.stringify(progress))
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'progress not told')
    }
  }
}

/** A job's part of the trace in which its look-up was asked for. */
const openJob = (request: LookupRequest | null): OpenSpan =>
  openSpan('process look-up', {
    kind: 'consumer',
    parent: request?.traceParent,
    attributes: { 'messaging.system': 'bullmq', 'messaging.destination.name': QUEUE_NAME },
  })
