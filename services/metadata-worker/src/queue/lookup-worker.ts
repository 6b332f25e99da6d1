import { type Envelope, LIVE_SUBJECTS, type MetadataProgress } from '@looptide/contracts/events'
import type { MetadataJobState } from '@looptide/contracts/http/metadata'
import { newId } from '@looptide/service-kit/db/ids'
import { jetstream } from '@looptide/service-kit/events/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { type OpenSpan, openSpan, runToEnd } from '@looptide/service-kit/telemetry/tracing'
import { pause, retryUntil } from '@looptide/service-kit/time/pause'
import { UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Counter } from 'prom-client'
import { type Outcome, QuotaExhaustedError, ThrottledError, type YoutubeClient } from '../youtube/outcome.ts'
import {
  type LookupJob,
  type LookupJobData,
  type LookupQueue,
  type LookupRequest,
  QUEUE_NAME,
} from './lookup-queue.ts'
import { BULL_PREFIX } from './open-queue.ts'
import { bulkAnswers, outcomeEvents } from './outcome-events.ts'
import type { QuotaLedger } from './quota-ledger.ts'

interface WorkerDeps extends EventPublisher {
  redis: Redis
  queue: LookupQueue
  ledger: QuotaLedger
  client: YoutubeClient
  logger: Logger
  lookups: Counter<'outcome'>
  /** A job whose worker has not renewed its lock for this time is given to another worker, in ms. */
  lockMs: number
  now: () => number
}

/** Number of crashes while processing a job after which the job fails. */
const MAX_STALLS = 20
/** Time for which an incomplete batch waits for more jobs, in ms. */
const BATCH_WAIT_MS = 40
/** Interval of checks whether a pause has ended, in ms. */
const PAUSE_CHECK_MS = 200

/**
 * Processes look-up jobs in batches: one call to YouTube for all of them, then the events, then the end of the jobs. After
 * a crash in between, another worker (or this one, restarted) takes the jobs over after `lockMs` and publishes the same
 * events with the same ids.
 */
export class LookupWorker implements Background {
  readonly #deps: WorkerDeps
  readonly #worker: Worker<LookupJobData, null, 'look-up'>
  readonly #token = newId()
  readonly #stop = new AbortController()
  readonly #activeJobs = new Map<string, LookupJob>()
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
      maxStalledCount: MAX_STALLS,
      drainDelay: 1,
    })
    this.#worker.on('error', (error) => deps.logger.debug({ err: error }, 'look-up queue unreachable'))
  }

  start(): void {
    this.#running ??= this.#run()
    // Renewed three times within the lifetime of a lock.
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
      (error) => logger.warn({ err: error }, 'look-up queue not ready'),
    )
    while (!signal.aborted) {
      try {
        await this.#runBatch()
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'look-up batch aborted')
        await pause(500, signal)
      }
    }
  }

  async #runBatch(): Promise<void> {
    if ((await this.#deps.ledger.pausedUntil()) !== null) {
      await pause(PAUSE_CHECK_MS, this.#stop.signal)
      return
    }
    try {
      const batch = await this.#collectBatch()
      if (batch.length > 0) await this.#process(batch)
    } finally {
      this.#activeJobs.clear()
    }
  }

  async #collectBatch(): Promise<LookupJob[]> {
    const first = await this.#worker.getNextJob(this.#token)
    if (first === undefined) return []
    const batch = [this.#addActive(first)]
    for (let waited = false; batch.length < this.#deps.client.batchSize; ) {
      const next = await this.#worker.getNextJob(this.#token, { block: false })
      if (next !== undefined) batch.push(this.#addActive(next))
      else if (waited || this.#stop.signal.aborted) break
      else {
        waited = true
        await pause(BATCH_WAIT_MS, this.#stop.signal)
      }
    }
    return batch
  }

  /** Starts renewing the job's lock. Collecting a batch may take longer than the lifetime of a lock. */
  #addActive(job: LookupJob): LookupJob {
    this.#activeJobs.set(job.data.youtubeId, job)
    return job
  }

  async #process(batch: readonly LookupJob[]): Promise<void> {
    // Read before the call to YouTube: its result does not answer requests that arrive later.
    const requests = await Promise.all(batch.map((job) => this.#deps.queue.requestFor(job.data.youtubeId)))
    const entries: RequestedJob[] = []
    for (const [index, job] of batch.entries()) {
      const request = requests[index] ?? null
      if (request === null) await this.#endAnswered(job)
      else entries.push({ job, request, span: openJobSpan(request) })
    }
    if (entries.length === 0) return
    for (const { job } of entries) this.#publishProgress(job.data.youtubeId, 'fetching', null)
    let outcomes: Map<string, Outcome>
    try {
      outcomes = await this.#deps.client.lookUp(entries.map(({ job }) => job.data.youtubeId))
    } catch (error) {
      for (const { span } of entries) span.end(error)
      await this.#failBatch(entries, error)
      return
    }
    const answers = entries.map((entry) => this.#answer(entry, outcomes.get(entry.job.data.youtubeId)))
    const published = await this.#publishTogether(answers)
    await Promise.all(
      answers.map((answer) =>
        runToEnd(answer.span, () => this.#finishJob(answer, published.has(answer) ? [] : answer.events)),
      ),
    )
  }

  #answer(entry: RequestedJob, result: Outcome | undefined): AnsweredJob {
    const outcome: Outcome = result ?? { kind: 'failed', error: new Error('no result for this video') }
    const { job, request } = entry
    return {
      ...entry,
      outcome,
      events: outcomeEvents(job.data.youtubeId, request, outcome, this.#deps.now()),
    }
  }

  /** Publishes bulk events, in the trace of their first job. Returns the jobs whose events are published with them. */
  async #publishTogether(answers: readonly AnsweredJob[]): Promise<Set<AnsweredJob>> {
    const bulk = bulkAnswers(answers)
    await Promise.all(bulk.map(({ answers: [first], event }) => first?.span.run(() => this.#publish(event))))
    return new Set(bulk.flatMap(({ answers: together }) => together))
  }

  /** Ends a job whose request another replica has answered since the job was queued. */
  async #endAnswered(job: LookupJob): Promise<void> {
    await job.moveToCompleted(null, this.#token, false)
    this.#activeJobs.delete(job.data.youtubeId)
  }

  /** Publishes the events that are left, then ends the job. */
  async #finishJob({ job, request, outcome }: AnsweredJob, events: readonly Envelope[]): Promise<void> {
    for (const event of events) await this.#publish(event)
    if (this.#stop.signal.aborted) return
    const hasEnded = await this.#endJob(job, outcome)
    if (hasEnded) await this.#deps.queue.completeRequest(job.data.youtubeId, request)
  }

  /** Retries until JetStream acknowledges the event or the worker stops. The job's lock is renewed meanwhile. */
  async #publish(event: Parameters<typeof publishEnvelope>[2]): Promise<void> {
    const { nats, keys, logger } = this.#deps
    await retryUntil(
      async () => void (await publishEnvelope(jetstream(nats), keys, event)),
      this.#stop.signal,
      (error, attempt) => logger.warn({ err: error, attempt }, 'look-up event not published'),
    )
  }

  /** Completes or fails a job. Returns false if the job is delayed for another attempt. */
  async #endJob(job: LookupJob, outcome: Outcome): Promise<boolean> {
    const { youtubeId } = job.data
    this.#deps.lookups.inc({ outcome: outcome.kind })
    if (outcome.kind === 'resolved') {
      await job.moveToCompleted(null, this.#token, false)
      this.#activeJobs.delete(youtubeId)
      this.#publishProgress(youtubeId, 'done', null)
      return true
    }
    const error = outcome.kind === 'unavailable' ? new UnrecoverableError(outcome.reason) : outcome.error
    return this.#failJob(job, error)
  }

  async #failJob(job: LookupJob, error: Error): Promise<boolean> {
    await job.moveToFailed(error, this.#token, false)
    this.#activeJobs.delete(job.data.youtubeId)
    const state = await job.getState()
    const hasEnded = state === 'failed'
    this.#publishProgress(job.data.youtubeId, hasEnded ? 'failed' : 'queued', error.message)
    return hasEnded
  }

  /** Handles a failed call. If the quota is used up, the jobs return to the queue without a counted attempt. */
  async #failBatch(batch: readonly RequestedJob[], error: unknown): Promise<void> {
    const { ledger, logger, queue, now } = this.#deps
    if (error instanceof QuotaExhaustedError) {
      const untilMs = await ledger.pauseUntilReset()
      logger.warn({ untilMs, jobs: batch.length }, 'youtube quota exhausted')
      for (const { job } of batch) {
        await job.moveToWait(this.#token)
        this.#publishProgress(job.data.youtubeId, 'queued', error.message)
      }
      return
    }
    if (error instanceof ThrottledError) await ledger.pauseUntil(now() + error.retryAfterMs)
    const cause = error instanceof Error ? error : new Error(String(error))
    logger.warn({ err: cause, jobs: batch.length }, 'look-up batch failed')
    for (const { job, request } of batch) {
      this.#deps.lookups.inc({ outcome: 'failed' })
      if (await this.#failJob(job, cause)) await queue.completeRequest(job.data.youtubeId, request)
    }
  }

  async #renewLocks(): Promise<void> {
    const ids = [...this.#activeJobs.values()].flatMap((job) => job.id ?? [])
    if (ids.length === 0) return
    const tokens = ids.map(() => this.#token)
    await this.#worker.extendJobLocks(ids, tokens, this.#deps.lockMs).catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'job locks not renewed')
    })
  }

  /** Publishes a job's state to connected admins. Not stored: a lost message is harmless. */
  #publishProgress(youtubeId: string, state: MetadataJobState, reason: string | null): void {
    const progress: MetadataProgress = { youtubeId, state, reason }
    try {
      this.#deps.nats.publish(LIVE_SUBJECTS.metadataProgress, JSON.stringify(progress))
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'look-up progress not published')
    }
  }
}

/** A job, the request that it answers, and its span. */
interface RequestedJob {
  job: LookupJob
  request: LookupRequest
  span: OpenSpan
}

/** A job with the outcome of its look-up, and the events that this publishes. */
interface AnsweredJob extends RequestedJob {
  outcome: Outcome
  events: readonly Envelope[]
}

/** Opens the span of a job in the trace of its request. */
const openJobSpan = (request: LookupRequest): OpenSpan =>
  openSpan('process look-up', {
    kind: 'consumer',
    parent: request.traceParent,
    attributes: { 'messaging.system': 'bullmq', 'messaging.destination.name': QUEUE_NAME },
  })
