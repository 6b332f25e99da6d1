import type { ChildProcess } from 'node:child_process'
import { startNats } from '@looptide/testkit/nats'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import type { NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { exited, logger, notesDatabase, provisionFor, relayFor, run } from './fixtures.ts'

/** Time within which another replica publishes the events of a leader that does not respond, in ms. */
const TAKEOVER_MS = 15_000
const longWait = { timeoutMs: 60_000 }

let backing: Awaited<ReturnType<typeof startNats>>
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
const children: ChildProcess[] = []

beforeAll(async () => {
  ;[backing, database] = await Promise.all([startNats(), notesDatabase()])
  nats = await connectNats(backing.url, 'test', logger)
  await provisionFor(nats, ['stream.channel.deleted.v1'])
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await exited(child)
  }
})
afterAll(async () => {
  await nats.close()
  await database.drop()
  await backing.stop()
})

const publishNote = (note: string): Promise<void> =>
  database.db
    .transaction()
    .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))
const outboxCount = async (): Promise<number> =>
  (await database.db.selectFrom('outbox').select('seq').execute()).length
const leader = async (): Promise<string | undefined> =>
  (await database.db.selectFrom('leases').select('holder').executeTakeFirst())?.holder
/** Time until another replica may lead, in ms. */
async function leaseRestMs(): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as ms from leases`.execute(
    database.db,
  )
  return rows[0]?.ms ?? 0
}

async function startLeader(): Promise<ChildProcess> {
  const child = run('relay-process.ts', { TEST_DATABASE_URL: database.url, TEST_NATS_URL: backing.url })
  children.push(child)
  await until('the relay leads', leader, longWait)
  await publishNote('first')
  await until('the relay publishes', async () => (await outboxCount()) === 0, longWait)
  return child
}

it('a relay that is frozen is replaced once its lease of at most 15 s has expired, and loses and duplicates no event when it resumes or is killed', async () => {
  const frozen = await startLeader()
  const other = relayFor(database.url, database.db, nats)
  other.start()
  // The leader is frozen while it publishes: some events are sent and not yet recorded as published.
  const burst = Promise.all(Array.from({ length: 300 }, (_, index) => publishNote(`burst-${index}`)))
  await until(
    'the stream holds more than 20 events',
    async () => (await contentsOf(nats, 'STREAM')).length > 20,
    longWait,
  )
  frozen.kill('SIGSTOP')
  expect(await leaseRestMs()).toBeLessThan(TAKEOVER_MS)
  await burst
  await until('the other relay has published the rest', async () => (await outboxCount()) === 0, longWait)
  frozen.kill('SIGCONT')
  await publishNote('awake')
  await until(
    'the event after the resumption is published',
    async () => (await outboxCount()) === 0,
    longWait,
  )
  frozen.kill('SIGSTOP')
  frozen.kill('SIGKILL')
  await exited(frozen)
  await publishNote('last')
  await until('the event after the kill is published', async () => (await outboxCount()) === 0, longWait)
  await other.stop()
  const events = await contentsOf(nats, 'STREAM')
  expect(events).toHaveLength(303)
  expect(new Set(events.map(({ id }) => id)).size).toBe(303)
})

it('a session that becomes idle in a transaction loses its locks within 15 s', async () => {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in
      ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count')`.execute(
    database.db,
  )
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
  const { tcp_keepalives_idle: idle, tcp_keepalives_interval: every, tcp_keepalives_count: count } = settings
  expect((idle ?? 0) + (every ?? 0) * (count ?? 0)).toBeLessThan(15)
  expect(settings.idle_in_transaction_session_timeout).toBeGreaterThan(0)
  expect(settings.idle_in_transaction_session_timeout).toBeLessThan(TAKEOVER_MS)
  expect(idle).toBeGreaterThan(0)
  const idleEnded = Promise.withResolvers<void>()
  const tableLocked = Promise.withResolvers<void>()
  const idleTransaction = database.db.transaction().execute(async (trx) => {
    await sql`lock table notes in access exclusive mode`.execute(trx)
    tableLocked.resolve()
    await idleEnded.promise
    await sql`select 1`.execute(trx)
  })
  idleTransaction.catch(() => undefined)
  await tableLocked.promise
  await until(
    'the lock is released',
    () =>
      sql`select 1 from notes`.execute(database.db).then(
        () => true,
        () => false,
      ),
    longWait,
  )
  idleEnded.resolve()
  await expect(idleTransaction).rejects.toThrow()
})
