import type { App } from './app.ts'

/** Check of one dependency. `check` rejects with the reason if the dependency is unhealthy. */
export interface HealthCheck {
  name: string
  check(): Promise<void> | void
}

export interface Readiness {
  /** True from the end of start-up to the start of shutdown. */
  ready: boolean
}

const CHECK_TIMEOUT_MS = 1500

/**
 * `/livez`: the process responds. `/readyz`: the process accepts requests; the body lists the state of each dependency.
 * A failed dependency does not make the process unready: it can still serve reads from memory, and all replicas would be
 * taken out of service at once. `/metrics`: Prometheus text.
 */
export function addHealthRoutes(
  app: App,
  options: { readiness: Readiness; checks: readonly HealthCheck[]; metricsText: () => Promise<string> },
): void {
  const hidden = { schema: { hide: true } }
  app.get('/livez', hidden, async () => ({ alive: true }))
  app.get('/metrics', hidden, async (_request, reply) => {
    reply.type('text/plain; version=0.0.4')
    return options.metricsText()
  })
  app.get('/readyz', hidden, async (_request, reply) => {
    const checks = await Promise.all(options.checks.map(runCheck))
    const { ready } = options.readiness
    return reply.status(ready ? 200 : 503).send({ ready, checks })
  })
}

async function runCheck({
  name,
  check,
}: HealthCheck): Promise<{ name: string; ok: boolean; detail?: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([Promise.resolve(check()), late])
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
