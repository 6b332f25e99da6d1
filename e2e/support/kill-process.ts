import type { Station } from '@looptide/runner/station/station'
import { until } from '@looptide/testkit/until'

/** Kills a process or a store of a station with SIGKILL. Resolves when the supervisor has started it again. */
export async function killProcess(station: Station, name: string): Promise<void> {
  const pid = station.pids[name]
  await station.kill(name, 'SIGKILL')
  await until(`${name} runs again`, () => station.pids[name] !== pid && station.pids[name], {
    timeoutMs: 60_000,
  })
}
