import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventTables } from '../src/db/event-tables.ts'
import { Lease } from '../src/db/lease.ts'
import { PgInbox } from '../src/events/inbox.ts'
import {
  movePublished,
  nextRows,
  prunePublished,
  publishedBelow,
  recordPublished,
  streamsOfPublished,
} from '../src/events/published-events.ts'
import { measureOutbox, outboxCheck } from '../src/events/relay/outbox-health.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { notesDatabase } from './fixtures.ts'

let database: Awaited<ReturnType<typeof notesDatabase>>
let planned: PlannedDb<EventTables>
let lease: Lease

// Enough rows that the planner never chooses a sequential scan.
beforeAll(async () => {
  database = await notesDatabase()
  planned = plannedDb<EventTables>(database.url)
  const { db } = planned
  lease = new Lease(db, 'outbox')
  for (const [table, extra, values] of [
    ['outbox', 'seq', 'n'],
    [
      'published_events',
      'seq, stream, stream_seq',
      `n, case when n % 3 = 0 then 'CHAT' else 'STREAM' end, n`,
    ],
  ] as const) {
    await sql`insert into ${sql.table(table)} (id, type, occurred_at, aggregate_id, data, ${sql.raw(extra)})
      select gen_random_uuid(), 'stream.channel.deleted.v1', now(), 'a', '{}', ${sql.raw(values)}
      from generate_series(1, 30000) n`.execute(db)
  }
  await sql`update published_events set published_at = now() - interval '1 hour' where seq <= 500`.execute(db)
  await sql`insert into inbox (consumer, event_id, received_at)
    select 'c', gen_random_uuid(), now() - n * interval '1 min' from generate_series(1, 30000) n`.execute(db)
  await sql`analyze outbox, published_events, inbox`.execute(db)
})
afterAll(async () => {
  await planned.stop()
  await database.drop()
})

it.each<[string, () => Promise<unknown>]>([
  ['the next rows', () => nextRows(planned.db, 200)],
  ['the streams of published events', () => streamsOfPublished(planned.db, ['STREAM', 'CHAT', 'AUTH'])],
  ['the newest published events', () => publishedBelow(planned.db, 'STREAM', Number.MAX_SAFE_INTEGER)],
  ['an event that was published again', () => movePublished(planned.db, 7, 40_000)],
  ['old published events', () => prunePublished(planned.db, 'STREAM', 1_800_000)],
  [
    'acknowledged rows',
    async () => {
      await lease.hold()
      await recordPublished(planned.db, lease, [{ seq: 29_000, stream: 'STREAM', streamSeq: 50_000 }])
    },
  ],
  ['old entries of the inbox', () => new PgInbox(planned.db).prune()],
])('%s are found by an index', async (_what, work) => {
  expect(await planned.plansOf(work)).not.toMatch(/Seq Scan on (?:outbox|published_events|inbox)/)
})

it('the age of the oldest event is read from an index, and the count stops at its limit', async () => {
  const metrics = createMetrics('test')
  measureOutbox(metrics, planned.db)
  const plans = await planned.plansOf(async () => outboxCheck(planned.db).check())
  expect(plans).toContain('outbox_pkey')
  expect(await metrics.registry.metrics()).toContain('looptide_outbox_backlog{service="test"} 10000')
})
