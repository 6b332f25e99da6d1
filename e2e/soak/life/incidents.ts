import { until } from '@looptide/testkit/until'
import type { FastStation } from '../fast-station.ts'

/** A fault, and the check that the station has recovered. */
export interface Incident {
  name: string
  happen(fast: FastStation): Promise<void>
}

const HEALTHY_MS = 60_000

const everybodyIsBack = async ({ station }: FastStation, name: string): Promise<void> => {
  await until(
    `every service is healthy after: ${name}`,
    async () => {
      const ready = await Promise.all(station.fleet.names.map((each) => station.isRunning(each)))
      const health = await fetch(`${station.url}/api/health`)
      const { results } = (await health.json()) as { results: { healthy: boolean }[] }
      return ready.every(Boolean) && results.every(({ healthy }) => healthy)
    },
    { timeoutMs: HEALTHY_MS },
  )
}

const killed = (name: string): Incident => ({
  name: `${name} is killed`,
  happen: async (fast) => {
    await fast.station.kill(name, 'SIGKILL')
    await everybodyIsBack(fast, name)
  },
})

const postgresRestarted: Incident = {
  name: 'Postgres is restarted',
  happen: async (fast) => {
    await fast.postgres.restart()
    await everybodyIsBack(fast, 'Postgres')
  },
}

const postgresKilled: Incident = {
  name: 'Postgres is killed',
  happen: async (fast) => {
    fast.postgres.kill()
    await fast.postgres.restart()
    await everybodyIsBack(fast, 'Postgres')
  },
}

const natsRestarted: Incident = {
  name: 'NATS is restarted',
  happen: async (fast) => {
    await fast.station.restart('nats')
    await everybodyIsBack(fast, 'NATS')
  },
}

/** One of two schedulers is down: the other takes over its channels until it is back. */
const leaderLost: Incident = {
  name: 'one scheduler is down, the other leads alone',
  happen: async (fast) => {
    await fast.station.kill('stream-scheduler', 'SIGKILL')
    await fast.station.halt('stream-scheduler')
    await fast.reach(fast.now() + 8 * 3_600_000)
    await fast.station.restart('stream-scheduler')
    await everybodyIsBack(fast, 'the scheduler')
  },
}

/** One per night; after the last, the list starts again. */
export const INCIDENTS: readonly Incident[] = [
  postgresRestarted,
  leaderLost,
  natsRestarted,
  killed('catalogue'),
  postgresKilled,
  killed('chat'),
  killed('nats'),
  killed('auth'),
  killed('redis'),
]
