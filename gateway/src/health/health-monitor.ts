import type { HealthReport } from '@looptide/contracts/http/admin'
import type { ServiceName } from '@looptide/contracts/service-names'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import type { Upstreams } from '../config.ts'

type Result = HealthReport['results'][number]

/** Services that viewers depend on. The gateway is not one of them, because it always reports itself as healthy. */
const FOR_VIEWERS: ReadonlySet<string> = new Set<ServiceName>([
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
])
const POLL_MS = 5000
const TIMEOUT_MS = 2500

/** The health of each service, polled in the background so that reading it costs nothing. */
export class HealthMonitor {
  readonly #upstreams: Upstreams
  readonly #now: () => number
  readonly #results = new Map<ServiceName, Result>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(upstreams: Upstreams, now: () => number) {
    this.#upstreams = upstreams
    this.#now = now
  }

  start(): void {
    void this.#poll()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  results(): Result[] {
    const own: Result = {
      ...{ service: 'gateway', healthy: true },
      ...{ isViewerFacing: false, checkedAtMs: this.#now() },
    }
    return [own, ...this.#results.values()]
  }

  /** Whether at least one service that viewers depend on is healthy. True before the first check. */
  isHealthy(): boolean {
    const forViewers = this.results().filter(({ isViewerFacing }) => isViewerFacing)
    return (
      forViewers.length === 0 || forViewers.some(({ healthy, checkedAtMs }) => healthy || checkedAtMs === 0)
    )
  }

  async #poll(): Promise<void> {
    await this.check()
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS)
    this.#timer.unref()
  }

  /** Checks every service once. */
  async check(): Promise<void> {
    const entries = Object.entries(this.#upstreams) as [ServiceName, string][]
    for (const [service] of entries) {
      if (this.#results.has(service)) continue
      const unchecked = {
        isViewerFacing: FOR_VIEWERS.has(service),
        checkedAtMs: 0,
        detail: 'not checked yet',
      }
      this.#results.set(service, { service, healthy: false, ...unchecked })
    }
    await Promise.all(
      entries.map(async ([service, url]) => {
        const detail = await checkService(url)
        const isViewerFacing = FOR_VIEWERS.has(service)
        const result = { service, healthy: detail === null, isViewerFacing, checkedAtMs: this.#now() }
        this.#results.set(service, detail === null ? result : { ...result, detail })
      }),
    )
  }
}

/** Null for a healthy service, else a public description of the fault: `outbox` if its events are not published. */
async function checkService(url: string): Promise<string | null> {
  try {
    const response = await internalFetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = (await response.json()) as { checks?: { name: string; ok: boolean }[] }
    if (!response.ok) return 'not ready'
    const failing = (body.checks ?? []).filter(({ ok }) => !ok).map(({ name }) => name)
    return failing.length === 0 ? null : `degraded: ${failing.join(', ')}`
  } catch {
    return 'no response'
  }
}
