import type { MetadataJobsQuery } from '@looptide/contracts/http/metadata'
import type { AuditFacts, CauseOfRequest } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/http/cursor'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Static } from 'typebox'
import type { AuditRecorder } from '../../audit/audit-recorder.ts'
import type { LookupQueue } from '../../queue/lookup-queue.ts'
import type { QuotaLedger } from '../../queue/quota-ledger.ts'
import { withRedis } from '../../redis.ts'
import type { YoutubeClient } from '../../youtube/outcome.ts'

interface JobDeps {
  queue: LookupQueue
  audit: Pick<AuditRecorder, 'record'>
  ledger: QuotaLedger
  mode: YoutubeClient['mode']
}

const MAX_OFFSET = 1_000_000

/** Look-up jobs as admins see them. While Redis is away, every method throws `service_unavailable`. */
export class JobService {
  readonly #deps: JobDeps

  constructor(deps: JobDeps) {
    this.#deps = deps
  }

  /** A page of the jobs in one state. `failed` jobs are the dead letters. Throws `invalid_cursor`. */
  async list({ state = 'failed', limit = 100, cursor }: Static<typeof MetadataJobsQuery>) {
    const from = cursor === undefined ? { type: 0, offset: 0 } : positionOf(cursor)
    const { jobs, next } = await withRedis(() => this.#deps.queue.list(state, limit, from))
    return { items: jobs, nextCursor: next === null ? null : encodeCursor([next.type, next.offset]) }
  }

  /** Retries a failed look-up. Throws `not_found` if it has not failed. */
  async retry(youtubeId: string, cause: CauseOfRequest) {
    const before = await withRedis(() => this.#deps.queue.find(youtubeId))
    if (before === null || before.state !== 'failed') throw errors.notFound('A failed look-up of this video')
    const target = { targetType: 'youtube_video', targetId: youtubeId }
    await this.#request([youtubeId], { action: 'metadata.retry', ...target, before }, cause)
    return { ...before, state: 'queued' as const, reason: null, attempts: 0, updatedAtMs: Date.now() }
  }

  /** Retries all failed look-ups, and returns their number. */
  async retryAll(cause: CauseOfRequest): Promise<number> {
    const failed = await withRedis(() => this.#deps.queue.failedIds())
    if (failed.length === 0) return 0
    await this.#request(failed, { action: 'metadata.retry_all', details: { count: failed.length } }, cause)
    return failed.length
  }

  /** The numbers of jobs by state, and the used quota of today. */
  status() {
    const { mode, queue, ledger } = this.#deps
    return withRedis(async () => ({
      mode,
      ...(await queue.counts()),
      quotaUsed: await ledger.used(),
      quotaLimit: ledger.limit,
      quotaResetsAtMs: ledger.resetsAtMs,
      pausedUntilMs: await ledger.pausedUntil(),
    }))
  }

  async #request(youtubeIds: string[], facts: AuditFacts, cause: CauseOfRequest): Promise<void> {
    await this.#deps.audit.record(cause, facts)
    // The version is the current time, so the result also applies to a row that has changed since the first request.
    const lookup = { requestId: newId(), version: Date.now(), correlationId: cause.correlationId }
    await withRedis(() => this.#deps.queue.request(youtubeIds, lookup, true))
  }
}

function positionOf(cursor: string): { type: number; offset: number } {
  const [type, offset] = decodeCursor(cursor, ['number', 'number'])
  const isValid = Number.isInteger(type) && type >= 0 && type < 2 && Number.isInteger(offset)
  if (!isValid || offset < 0 || offset > MAX_OFFSET) {
    throw new AppError('invalid_cursor', 'The cursor is invalid.')
  }
  return { type, offset }
}
