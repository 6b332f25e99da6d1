import {
  type AttemptLack,
  REFUSED_ATTEMPTS_PER_HOUR,
  type RefusedAttempt,
} from '@looptide/contracts/http/admin'
import type { FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import { newId } from '../db/ids.ts'
import { clientIp } from '../http/client-ip.ts'
import { AppError } from '../http/errors.ts'
import { callInternal } from '../identity/internal.ts'
import { type ClientNetwork, clientNetworkOf, siteDigest } from '../limits/client-network.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** A refused attempt without its id and time. */
export interface AttemptFacts extends Omit<RefusedAttempt, 'id' | 'occurredAt' | 'lacks' | 'network'> {
  lacks: AttemptLack
  /** Of an anonymous user, who can sign in again as another one: the attempts of a network are counted too. */
  anonymousFrom: ClientNetwork | null
}

interface ReporterDeps {
  adminAuditUrl: string
  internalToken: string
  /** Factor for the number of attempts recorded per hour. */
  rateLimitFactor: number
  logger: Logger
  metrics: Metrics
  now?: () => number
  /** Delay before the first retry, in ms; it doubles up to 30 s. */
  retryMs?: number
}

const HOUR_MS = 3_600_000
const MAX_QUEUED = 1000
const BATCH = 50
/** Maximum users and networks that are counted. Beyond it the counts are reset, and only admin-audit's limit applies. */
const MAX_COUNTS = 10_000
const MAX_RETRY_MS = 30_000
const CLOSE_TIMEOUT_MS = 1000
const RESULTS = ['reported', 'over_limit', 'anonymous', 'lost'] as const

/** Maximum attempts of one user, or of the anonymous users of one network, that the audit log records per hour. */
export const attemptsPerHour = (rateLimitFactor: number): number =>
  Math.max(1, Math.floor(REFUSED_ATTEMPTS_PER_HOUR * rateLimitFactor))

/**
 * Reports admin and moderator actions that were refused to admin-audit, which writes them to the audit log.
 * `report` returns immediately: the response does not wait for admin-audit. Attempts are queued in memory while
 * admin-audit is unavailable. An attempt that cannot be queued is logged and counted.
 */
export class RefusedAttemptReporter {
  readonly #deps: ReporterDeps
  readonly #now: () => number
  readonly #queue: RefusedAttempt[] = []
  readonly #stop = new AbortController()
  readonly #counter: Counter<'result'>
  #sending: Promise<void> | undefined
  #hour = 0
  /** Attempts of this hour by user id or digest of a network. */
  readonly #counts = new Map<string, number>()

  constructor(deps: ReporterDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#counter = new Counter({
      name: 'looptide_refused_attempts_total',
      help: 'Refused admin and moderator actions, by result of the report.',
      labelNames: ['result'],
      registers: [deps.metrics.registry],
    })
    // Initialized to 0, so that the first attempt shows as an increase.
    for (const result of RESULTS) this.#counter.inc({ result }, 0)
  }

  /** Queues an attempt. Attempts of visitors (null) are only counted. */
  report(facts: AttemptFacts | null): void {
    if (facts === null) {
      this.#counter.inc({ result: 'anonymous' })
      return
    }
    const { anonymousFrom, lacks, ...rest } = facts
    const network = anonymousFrom === null ? undefined : siteDigest(anonymousFrom, this.#deps.internalToken)
    if (!this.#isWithinLimit(facts.userId) || (network !== undefined && !this.#isWithinLimit(network))) {
      this.#counter.inc({ result: 'over_limit' })
      return
    }
    const attempt: RefusedAttempt = {
      ...rest,
      ...(lacks === 'role' ? {} : { lacks }),
      ...(network === undefined ? {} : { network }),
      id: newId(),
      occurredAt: new Date(this.#now()).toISOString(),
    }
    if (this.#queue.length >= MAX_QUEUED) this.#drop(attempt)
    else this.#queue.push(attempt)
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  /** Sends the queue one last time. Attempts that still fail are logged. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#sending
    while (this.#queue.length > 0) if (!(await this.#sendBatch(CLOSE_TIMEOUT_MS))) break
    for (const attempt of this.#queue.splice(0)) this.#drop(attempt)
  }

  /** Allows one attempt beyond the limit: its entry states that there were more. */
  #isWithinLimit(key: string): boolean {
    const hour = Math.floor(this.#now() / HOUR_MS)
    if (hour !== this.#hour || this.#counts.size >= MAX_COUNTS) this.#counts.clear()
    this.#hour = hour
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count <= attemptsPerHour(this.#deps.rateLimitFactor) + 1
  }

  async #send(): Promise<void> {
    let delayMs = this.#deps.retryMs ?? 500
    while (this.#queue.length > 0 && !this.#stop.signal.aborted) {
      if (await this.#sendBatch()) continue
      await pause(delayMs, this.#stop.signal)
      delayMs = Math.min(MAX_RETRY_MS, delayMs * 2)
    }
  }

  /** False if the batch must be sent again. */
  async #sendBatch(timeoutMs?: number): Promise<boolean> {
    const { adminAuditUrl, internalToken, logger } = this.#deps
    const attempts = this.#queue.slice(0, BATCH)
    try {
      await callInternal(`${adminAuditUrl}/internal/refused-attempts`, 'The audit service', {
        method: 'POST',
        body: { attempts },
        internalToken,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      })
    } catch (error) {
      // Only a batch that admin-audit refuses as invalid is dropped.
      if (!(error instanceof AppError && error.code === 'validation_failed')) {
        logger.warn({ err: error, queued: this.#queue.length }, 'refused attempts not reported')
        return false
      }
      for (const attempt of this.#queue.splice(0, attempts.length)) this.#drop(attempt)
      return true
    }
    this.#queue.splice(0, attempts.length)
    this.#counter.inc({ result: 'reported' }, attempts.length)
    return true
  }

  #drop(attempt: RefusedAttempt): void {
    this.#counter.inc({ result: 'lost' })
    this.#deps.logger.error({ attempt }, 'refused attempt not recorded')
  }
}

/** Resolves after `ms` or when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    timer.unref()
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

const PLAIN_VALUE = /^[\w.~-]{1,100}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Describes a refused request; null for a visitor, who has no identity to record. */
export function describeAttempt(request: FastifyRequest, lacks: AttemptLack): AttemptFacts | null {
  const { user, routeOptions } = request
  if (user === null) return null
  const route = `${request.method} ${routeOptions.url ?? ''}`
  // The parameters are not validated yet: only plain values are recorded.
  const params = Object.fromEntries(
    Object.entries((request.params ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && PLAIN_VALUE.test(entry[1]),
    ),
  )
  const isAboutUser = routeOptions.url?.startsWith('/api/users/:id') === true
  return {
    userId: user.id,
    role: user.role,
    operation: routeOptions.config.operation ?? 'none',
    route: route.slice(0, 200),
    params,
    targetUserId:
      isAboutUser && params.id !== undefined && UUID.test(params.id) ? params.id.toLowerCase() : null,
    requestId: request.id,
    lacks,
    anonymousFrom: user.isAnonymous ? clientNetworkOf(clientIp(request)) : null,
  }
}
