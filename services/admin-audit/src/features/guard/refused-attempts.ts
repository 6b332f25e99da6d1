import type { RefusedAttempt } from '@looptide/contracts/http/admin'
import { attemptsPerHour } from '@looptide/service-kit/audit/refused-attempts'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { claimUntil, countAttempt, countNetworkAttempt } from './guard-repository.ts'
import { recordSecurityEvent } from './security-log.ts'

const HOUR_MS = 3_600_000
/** Time for which a repeated report of the same attempt is recognised. */
const DEDUPLICATION_MS = 2 * HOUR_MS

interface Deps {
  db: Kysely<Database>
  /** Multiplies the hourly limit, which protects the log and is not a product rule. */
  rateLimitFactor: number
  now?: () => number
}

/** An attempt as it is written to the log. */
interface Attempt {
  userId: string
  targetUserId: string | null
  details: Record<string, unknown>
  correlationId: string | null
  /** Digest of the network of an anonymous user. */
  network?: string | undefined
}

/** An attempt with the number of attempts of its user, or of its network if that is not smaller, in this hour. */
interface CountedAttempt {
  attempt: Attempt
  count: number
  countedBy: 'user' | 'network'
}

/**
 * Records refused admin and moderator actions in the audit log. Records a limited number per user and hour across all
 * replicas, then one entry that further attempts are not recorded. The same limit applies to all anonymous users of a
 * network, because one person can create many of them.
 */
export class RefusedAttempts {
  readonly #deps: Deps
  readonly #limit: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#limit = attemptsPerHour(deps.rateLimitFactor)
  }

  /** Records attempts that a service reports. An attempt that is reported twice is recorded once. */
  async recordReported(reported: readonly RefusedAttempt[]): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const fresh: Attempt[] = []
      for (const attempt of sortBy(reported, ({ id }) => id))
        if (await this.#claim(trx, attempt.id)) fresh.push(attemptOf(attempt))
      await this.#recordAll(trx, fresh)
    })
  }

  /** Records one attempt, in the caller's transaction. */
  record(trx: Transaction<Database>, attempt: Attempt): Promise<void> {
    return this.#recordAll(trx, [attempt])
  }

  /** False for an attempt that was reported before. */
  #claim(trx: Transaction<Database>, id: string): Promise<boolean> {
    const nowMs = this.#nowMs()
    return claimUntil(trx, `refused_attempt ${id}`, new Date(nowMs), new Date(nowMs + DEDUPLICATION_MS))
  }

  /** Counts by user, then by network, each sorted: replicas lock rows in the same order and cannot deadlock. */
  async #recordAll(trx: Transaction<Database>, attempts: readonly Attempt[]): Promise<void> {
    const hourMs = Math.floor(this.#nowMs() / HOUR_MS) * HOUR_MS
    const hour = new Date(hourMs)
    const counted: { attempt: Attempt; count: number }[] = []
    for (const attempt of sortBy(attempts, ({ userId }) => userId)) {
      const count = await countAttempt(trx, attempt.userId, hour)
      if (count <= this.#limit + 1) counted.push({ attempt, count })
    }
    for (const { attempt, count } of sortBy(counted, (one) => one.attempt.network ?? '')) {
      const { network } = attempt
      const ofNetwork = network === undefined ? 0 : await countNetworkAttempt(trx, network, hour)
      const countedBy = ofNetwork < count ? 'user' : 'network'
      await this.#recordCounted(trx, { attempt, count: Math.max(count, ofNetwork), countedBy }, hourMs)
    }
  }

  async #recordCounted(
    trx: Transaction<Database>,
    { attempt, count, countedBy }: CountedAttempt,
    hourMs: number,
  ): Promise<void> {
    if (count > this.#limit + 1) return
    const event = 'security_unauthorized_admin_attempt'
    const { userId, targetUserId, details, correlationId } = attempt
    if (count <= this.#limit)
      return recordSecurityEvent(trx, { event, userId, targetUserId, details, correlationId })
    const notRecordedUntil = new Date(hourMs + HOUR_MS).toISOString()
    const notice = { notRecordedUntil, limit: this.#limit, countedBy }
    await recordSecurityEvent(trx, { event, userId, details: notice, correlationId })
  }

  #nowMs(): number {
    return (this.#deps.now ?? Date.now)()
  }
}

/** An attempt as it is recorded. Its network is counted only: the log keeps what it records for 30 days. */
function attemptOf({ userId, targetUserId, requestId, network, ...facts }: RefusedAttempt): Attempt {
  const { id: _id, occurredAt, lacks = 'role', ...details } = facts
  return {
    userId,
    targetUserId,
    details: { ...details, lacks, refusedAt: occurredAt },
    correlationId: requestId === '' ? null : requestId,
    network,
  }
}

const sortBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[] =>
  [...items].sort((a, b) => compare(keyOf(a), keyOf(b)))

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
