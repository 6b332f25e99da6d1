import type { Station } from '@looptide/runner/station/station'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { until } from '@looptide/testkit/until'

interface Readiness {
  ready: boolean
  checks?: { name: string; ok: boolean; detail?: string }[]
}

/** Resolves when every process of a station reports that it is ready and reaches its dependencies. */
export async function untilReady({ fleet }: Station): Promise<void> {
  await until(
    'every process is ready',
    async () => {
      const wrong = await Promise.all(fleet.names.map((name) => whatIsWrong(name, fleet.urlOf(name))))
      if (wrong.flat().length > 0) throw new Error(wrong.flat().join('; '))
      return true
    },
    { timeoutMs: 90_000 },
  )
}

/** The failed readiness checks of a process. */
async function whatIsWrong(name: string, url: string): Promise<string[]> {
  const response = await internalFetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })
  const { ready, checks = [] } = (await response.json()) as Readiness
  const missing = checks.flatMap((check) =>
    check.ok ? [] : [`${name} misses ${check.name}: ${check.detail}`],
  )
  return ready ? missing : [`${name} is not ready`, ...missing]
}
