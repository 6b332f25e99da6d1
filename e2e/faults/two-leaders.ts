import { withClient } from '@looptide/backing/database/set-up'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import type { FaultHarness } from '../support/fault-harness.ts'

const LONG_WAIT = { timeoutMs: 30_000 }

/** The leaders of the channels on the air, without replicas that have not been seen lately. */
async function leaders(harness: FaultHarness): Promise<Set<string>> {
  const { rows } = await withClient(harness.databaseUrl, (client) =>
    client.query<{ leader: string }>(
      `select r.id as leader from scheduler.channels c join scheduler.replicas r on r.id = c.leader
       where c.status <> 'idle' and r.seen_at > clock_timestamp() - interval '4 s'`,
    ),
  )
  return new Set(rows.map(({ leader }) => leader))
}

/** Two schedulers share the channels. One is suspended beyond its lease, the other takes over, the first resumes. */
export async function stopALeader(harness: FaultHarness): Promise<void> {
  const { station } = harness
  await until('both lead', async () => (await leaders(harness)).size === 2, LONG_WAIT)
  await station.kill('stream-scheduler', 'SIGSTOP')
  await until('one scheduler leads every channel', async () => (await leaders(harness)).size === 1, LONG_WAIT)
  await station.kill('stream-scheduler', 'SIGCONT')
  await until(
    'both schedulers lead channels again',
    async () => (await leaders(harness)).size === 2,
    LONG_WAIT,
  )
}

/** Checks that past and future programmes of every channel have no gap or overlap. */
export async function expectWholeTimelines(harness: FaultHarness): Promise<void> {
  const { rows } = await withClient(harness.databaseUrl, (client) =>
    client.query(
      `select * from (
         select 'programmes' as of, channel_id, seq, starts_at_ms,
                lag(ends_at_ms) over w as before_ms, lag(seq) over w as before_seq
         from scheduler.programmes window w as (partition by channel_id order by seq)
         union all
         select 'air log', channel_id, seq, started_at_ms, lag(ended_at_ms) over w, lag(seq) over w
         from scheduler.air_log window w as (partition by channel_id order by started_at_ms)) line
       where before_ms is not null and (starts_at_ms <> before_ms or seq <> before_seq + 1)`,
    ),
  )
  expect(rows).toEqual([])
}
