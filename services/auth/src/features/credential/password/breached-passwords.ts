import { createHash } from 'node:crypto'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { AuthMetrics } from '../../../auth-metrics.ts'
import { fetchBounded } from '../../../fetch-bounded.ts'

const TIMEOUT_MS = 1000
const PREFIX_LENGTH = 5
/** Consecutive failures after which no request is sent for {@link PAUSE_MS}. */
const MAX_FAILURES = 3
const PAUSE_MS = 60_000

interface BreachedPasswordsDeps {
  /** Base URL of a range service such as Pwned Passwords; undefined: every password counts as not breached. */
  url: string | undefined
  metrics: Pick<AuthMetrics, 'breachChecks'>
  logger: Logger
  now: () => number
}

/**
 * Looks up passwords that were published after breaches. The service receives five hex digits of a password's SHA-1 and
 * responds with all hashes that begin with them. While it does not respond, every password counts as not breached.
 */
export class BreachedPasswords {
  readonly #deps: BreachedPasswordsDeps
  #failures = 0
  #pausedUntilMs = 0

  constructor(deps: BreachedPasswordsDeps) {
    this.#deps = deps
  }

  /** Whether the password is known from a breach. Takes a second at most, and never throws. */
  async include(password: string): Promise<boolean> {
    const { url, metrics, now } = this.#deps
    if (url === undefined) return false
    if (now() < this.#pausedUntilMs) {
      metrics.breachChecks.inc({ result: 'skipped' })
      return false
    }
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      const lines = await range(url, hash.slice(0, PREFIX_LENGTH))
      const isBreached = lines.some((line) => isEntryOf(line, hash.slice(PREFIX_LENGTH)))
      this.#failures = 0
      metrics.breachChecks.inc({ result: isBreached ? 'breached' : 'unknown' })
      return isBreached
    } catch (error) {
      metrics.breachChecks.inc({ result: 'failed' })
      this.#countFailure(error)
      return false
    }
  }

  #countFailure(err: unknown): void {
    const { logger, now } = this.#deps
    this.#failures += 1
    if (this.#failures < MAX_FAILURES) return
    this.#failures = 0
    this.#pausedUntilMs = now() + PAUSE_MS
    logger.warn({ err, pauseMs: PAUSE_MS }, 'breached password check paused')
  }
}

/** The lines `<rest of the hash>:<count>` of a prefix. Padding hides how many there are, and has the count 0. */
async function range(url: string, prefix: string): Promise<string[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetchBounded(`${url.replace(/\/$/, '')}/range/${prefix}`, {
    headers: { 'add-padding': 'true', 'user-agent': 'looptide' },
    signal,
  })
  if (response.status !== 200) throw new Error(`the service answered ${response.status}`)
  return (await response.text()).split('\n')
}

function isEntryOf(line: string, rest: string): boolean {
  const [suffix, count] = line.trim().split(':')
  return suffix?.toUpperCase() === rest && Number(count) > 0
}
