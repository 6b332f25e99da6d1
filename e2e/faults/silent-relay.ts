import { withClient } from '@looptide/runner/database/set-up'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'

const PATIENT = { timeoutMs: 60_000 }
/** Within this time (ms) a replica publishes what a silent leader does not. */
const TAKEOVER_MS = 15_000

/** The process that holds the lease of the scheduler's outbox, while the lease lasts. */
async function holder(harness: FaultHarness): Promise<string | undefined> {
  const { rows } = await withClient(harness.databaseUrl, (client) =>
    client.query<{ holder: string }>(
      `select holder from scheduler.leases where name = 'outbox' and expires_at > clock_timestamp()`,
    ),
  )
  return rows[0]?.holder
}

/** How long the oldest event has waited in the scheduler's outbox (ms). */
async function oldestMs(harness: FaultHarness): Promise<number> {
  const { rows } = await withClient(harness.databaseUrl, (client) =>
    client.query<{ ms: number }>(
      `select coalesce(max(extract(epoch from clock_timestamp() - written_at)), 0)::float8 * 1000 as ms
       from scheduler.outbox`,
    ),
  )
  return Number(rows[0]?.ms)
}

/**
 * Of two schedulers the one that publishes their events is suspended and then killed. One after the other, so that
 * the publishing one is among them; the admin of the load makes events meanwhile.
 */
export async function silenceTheRelay(harness: FaultHarness): Promise<void> {
  const { station } = harness
  let takeovers = 0
  for (const name of ['stream-scheduler', 'stream-scheduler-2']) {
    const before = await until('one relay publishes', () => holder(harness), PATIENT)
    const pid = station.pids[name]
    await station.kill(name, 'SIGSTOP')
    const stoppedAtMs = performance.now()
    let longestMs = 0
    await until(
      `events are published while ${name} is silent`,
      async () => {
        const waitedMs = await oldestMs(harness)
        longestMs = Math.max(longestMs, waitedMs)
        return performance.now() - stoppedAtMs > 8000 && waitedMs < 2000
      },
      PATIENT,
    )
    expect(longestMs).toBeLessThan(TAKEOVER_MS)
    if ((await holder(harness)) !== before) takeovers += 1
    await station.kill(name, 'SIGKILL')
    await until(`${name} runs again`, () => station.pids[name] !== pid && station.pids[name], PATIENT)
  }
  expect(takeovers).toBeGreaterThan(0)
}
