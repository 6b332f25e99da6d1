import { withClient } from '@looptide/backing/database/set-up'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'

const LONG_WAIT = { timeoutMs: 60_000 }
/** Time limit (ms) for a replica to take over from a silent leader. */
const TAKEOVER_MS = 15_000

/** The holder of the lease of the scheduler's outbox; undefined if it has expired. */
async function holder(harness: FaultHarness): Promise<string | undefined> {
  const { rows } = await withClient(harness.databaseUrl, (client) =>
    client.query<{ holder: string }>(
      `select holder from scheduler.leases where name = 'outbox' and expires_at > clock_timestamp()`,
    ),
  )
  return rows[0]?.holder
}

/** Age of the oldest event in the scheduler's outbox (ms). */
async function oldestMs(harness: FaultHarness): Promise<number> {
  const { rows } = await withClient(harness.databaseUrl, (client) =>
    client.query<{ ms: number }>(
      `select coalesce(max(extract(epoch from clock_timestamp() - written_at)), 0)::float8 * 1000 as ms
       from scheduler.outbox`,
    ),
  )
  return Number(rows[0]?.ms)
}

/** The longest time (ms) for which an event waits while a scheduler is suspended, until events are published again. */
async function longestWhileSilent(harness: FaultHarness, name: string): Promise<number> {
  const stoppedAtMs = performance.now()
  let longestMs = 0
  await until(
    `events are published while ${name} is silent`,
    async () => {
      const waitedMs = await oldestMs(harness)
      longestMs = Math.max(longestMs, waitedMs)
      return performance.now() - stoppedAtMs > 8000 && waitedMs < 2000
    },
    LONG_WAIT,
  )
  return longestMs
}

/**
 * Suspends and then kills each of two schedulers in turn, so that one of them is the publishing one. The load's admin
 * causes events meanwhile.
 */
export async function silenceTheRelay(harness: FaultHarness): Promise<void> {
  const { station } = harness
  let takeovers = 0
  for (const name of ['stream-scheduler', 'stream-scheduler-2']) {
    const before = await until('one relay publishes', () => holder(harness), LONG_WAIT)
    const pid = station.pids[name]
    await station.kill(name, 'SIGSTOP')
    try {
      const longestMs = await longestWhileSilent(harness, name)
      expect(longestMs).toBeLessThan(TAKEOVER_MS)
      if ((await holder(harness)) !== before) takeovers += 1
    } finally {
      // A scheduler that stays suspended would fail all faults after this one.
      await station.kill(name, 'SIGKILL')
    }
    await until(`${name} runs again`, () => station.pids[name] !== pid && station.pids[name], LONG_WAIT)
  }
  expect(takeovers).toBeGreaterThan(0)
}
