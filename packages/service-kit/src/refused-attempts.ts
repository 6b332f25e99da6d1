import { REFUSED_ATTEMPTS_PER_HOUR, type RefusedAttempt } from '@looptide/contracts/http/admin'
import type { FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import { AppError } from './errors.ts'
import { newId } from './ids.ts'
import { callInternal } from './internal.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** What is known of an attempt when it is refused. */
export type AttemptFacts = Omit<RefusedAttempt, 'id' | 'occurredAt'>

interface ReporterDeps {
  adminAuditUrl: string
  internalToken: string
  /** Multiplies how many attempts of a user are recorded in an hour. */
  rateLimitFactor: number
  logger: Logger
  metrics: Metrics
  now?: () => number
  /** Delay before the first retry, in ms; it doubles up to 30 s. */
  retryMs?: number
}

const HOUR_MS = 3_600_000
const MOST_WAITING = 1000
const BATCH = 50
/** Users whose attempts are counted here; beyond them the counts start again, and admin-audit's own limit decides. */
const MOST_USERS = 10_000
const LONGEST_RETRY_MS = 30_000
const LAST_TRY_MS = 1000
const RESULTS = ['reported', 'over_limit', 'anonymous', 'lost'] as const

/** How many attempts of one user enter the log in an hour. */
export const attemptsPerHour = (rateLimitFactor: number): number =>
  Math.max(1, Math.floor(REFUSED_ATTEMPTS_PER_HOUR * rateLimitFactor))

/**
 * Reports requests that were refused for want of a role to admin-audit, which writes them into the audit log. `report`
 * returns at once: the refusal neither waits for admin-audit nor depends on it. Attempts wait in memory while it is
 * away; one that cannot be kept is written to the process's log and counted.
 */
export class RefusedAttemptReporter {
  readonly #deps: ReporterDeps
  readonly #now: () => number
  readonly #waiting: RefusedAttempt[] = []
  readonly #stop = new AbortController()
  readonly #counter: Counter<'result'>
  #sending: Promise<void> | undefined
  #hour = 0
  readonly #perUser = new Map<string, number>()

  constructor(deps: ReporterDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#counter = new Counter({
      name: 'looptide_refused_attempts_total',
      help: 'Requests refused for want of a role, by what became of the report.',
      labelNames: ['result'],
      registers: [deps.metrics.registry],
    })
    // A series that begins at 1 shows no increase: each begins at 0.
    for (const result of RESULTS) this.#counter.inc({ result }, 0)
  }

  /** Queues the attempt; a visitor's, who has no identity, is counted only. */
  report(facts: AttemptFacts | null): void {
    if (facts === null) {
      this.#counter.inc({ result: 'anonymous' })
      return
    }
    if (!this.#isWithinLimit(facts.userId)) {
      this.#counter.inc({ result: 'over_limit' })
      return
    }
    const attempt = { ...facts, id: newId(), occurredAt: new Date(this.#now()).toISOString() }
    if (this.#waiting.length >= MOST_WAITING) this.#lose(attempt)
    else this.#waiting.push(attempt)
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  /** Tries once more what waits; what is left then is written to the process's log. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#sending
    while (this.#waiting.length > 0) if (!(await this.#sendBatch(LAST_TRY_MS))) break
    for (const attempt of this.#waiting.splice(0)) this.#lose(attempt)
  }

  /** One more than the limit is reported, so that the log says that there were more. */
  #isWithinLimit(userId: string): boolean {
    const hour = Math.floor(this.#now() / HOUR_MS)
    if (hour !== this.#hour || this.#perUser.size >= MOST_USERS) this.#perUser.clear()
    this.#hour = hour
    const count = (this.#perUser.get(userId) ?? 0) + 1
    this.#perUser.set(userId, count)
    return count <= attemptsPerHour(this.#deps.rateLimitFactor) + 1
  }

  async #send(): Promise<void> {
    let delayMs = this.#deps.retryMs ?? 500
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      if (await this.#sendBatch()) continue
      await pause(delayMs, this.#stop.signal)
      delayMs = Math.min(LONGEST_RETRY_MS, delayMs * 2)
    }
  }

  /** False when it has to be tried again. */
  async #sendBatch(timeoutMs?: number): Promise<boolean> {
    const { adminAuditUrl, internalToken, logger } = this.#deps
    const attempts = this.#waiting.slice(0, BATCH)
    try {
      await callInternal(`${adminAuditUrl}/internal/refused-attempts`, 'The audit service', {
        method: 'POST',
        body: { attempts },
        internalToken,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      })
    } catch (error) {
      // Only a body that admin-audit will never take is given up.
      if (!(error instanceof AppError && error.code === 'validation_failed')) {
        logger.warn({ err: error, waiting: this.#waiting.length }, 'refused attempts waiting')
        return false
      }
      for (const attempt of this.#waiting.splice(0, attempts.length)) this.#lose(attempt)
      return true
    }
    this.#waiting.splice(0, attempts.length)
    this.#counter.inc({ result: 'reported' }, attempts.length)
    return true
  }

  #lose(attempt: RefusedAttempt): void {
    this.#counter.inc({ result: 'lost' })
    this.#deps.logger.error({ attempt }, 'refused attempt not recorded')
  }
}

/** Resolves after `ms`, or at once when `signal` aborts. */
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

/** The facts of a refused request; null for a visitor, who has no identity to record. */
export function describeAttempt(request: FastifyRequest): AttemptFacts | null {
  const { user, routeOptions } = request
  if (user === null) return null
  const route = `${request.method} ${routeOptions.url ?? ''}`
  // Not validated yet: what is no plain name stays out.
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
  }
}
