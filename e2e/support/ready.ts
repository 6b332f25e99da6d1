import type { Station } from '@looptide/runner/station'
import { until } from '@looptide/testkit/until'

/** Resolves when every process of a station reaches all that it stands on, as each says itself. */
export async function untilReady({ fleet }: Station): Promise<void> {
  await until(
    'every process is ready',
    async () => {
      const answers = await Promise.all(fleet.names.map((name) => isReady(fleet.urlOf(name))))
      return answers.every(Boolean)
    },
    { timeoutMs: 90_000 },
  )
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })
  const { checks = [] } = (await response.json()) as { checks?: { ok: boolean }[] }
  return response.ok && checks.every(({ ok }) => ok)
}
