import type { HealthReport } from '@looptide/contracts/http/admin'
import type { ServiceName } from '../config.ts'

type Result = HealthReport['results'][number]

/** Services whose pages and data viewers see. The gateway is not one: it would always count itself as healthy. */
const FOR_VIEWERS: ReadonlySet<string> = new Set<ServiceName>([
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
])
const POLL_MS = 5000
const TIMEOUT_MS = 2500

/** How the services do, asked for in the background so that a viewer's question costs nothing. */
export class HealthBoard {
  readonly #upstreams: Record<ServiceName, string>
  readonly #now: () => number
  readonly #results = new Map<ServiceName, Result>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(upstreams: Record<ServiceName, string>, now: () => number) {
    this.#upstreams = upstreams
    this.#now = now
  }

  start(): void {
    void this.#loop()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  results(): Result[] {
    const own: Result = {
      ...{ service: 'gateway', healthy: true },
      ...{ isViewerFacing: false, checkedAtMs: this.#now() },
    }
    return [own, ...this.#results.values()]
  }

  /**
   * Whether at least one service that viewers depend on is healthy (viewer specification §4). Before the first check
   * nothing is known against them.
   */
  isHealthy(): boolean {
    const ofViewers = this.results().filter(({ isViewerFacing }) => isViewerFacing)
    return (
      ofViewers.length === 0 || ofViewers.some(({ healthy, checkedAtMs }) => healthy || checkedAtMs === 0)
    )
  }

  async #loop(): Promise<void> {
    await this.check()
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#loop(), POLL_MS)
    this.#timer.unref()
  }

  /** Asks every service once. */
  async check(): Promise<void> {
    const entries = Object.entries(this.#upstreams) as [ServiceName, string][]
    for (const [service] of entries) {
      if (this.#results.has(service)) continue
      const facts = { isViewerFacing: FOR_VIEWERS.has(service), checkedAtMs: 0, detail: 'not asked yet' }
      this.#results.set(service, { service, healthy: false, ...facts })
    }
    await Promise.all(
      entries.map(async ([service, url]) => {
        const detail = await ask(url)
        const isViewerFacing = FOR_VIEWERS.has(service)
        const result = { service, healthy: detail === null, isViewerFacing, checkedAtMs: this.#now() }
        this.#results.set(service, detail === null ? result : { ...result, detail })
      }),
    )
  }
}

/** Null when the service is healthy, else what is not, fit for the public: `outbox` for events that are not published. */
async function ask(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = (await response.json()) as { checks?: { name: string; ok: boolean }[] }
    if (!response.ok) return 'not ready'
    const failing = (body.checks ?? []).filter(({ ok }) => !ok).map(({ name }) => name)
    return failing.length === 0 ? null : `degraded: ${failing.join(', ')}`
  } catch {
    return 'no answer'
  }
}
