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

/** Within this time (ms) another replica publishes what a silent one does not. */
const TAKEOVER_MS = 15_000
const patient = { timeoutMs: 60_000 }

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

const tell = (note: string): Promise<void> =>
  database.db
    .transaction()
    .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))
const left = async (): Promise<number> =>
  (await database.db.selectFrom('outbox').select('seq').execute()).length
const leader = async (): Promise<string | undefined> =>
  (await database.db.selectFrom('leases').select('holder').executeTakeFirst())?.holder

async function startLeader(): Promise<ChildProcess> {
  const child = run('relay-process.ts', { TEST_DATABASE_URL: database.url, TEST_NATS_URL: backing.url })
  children.push(child)
  await until('it leads', leader, patient)
  await tell('first')
  await until('it publishes', async () => (await left()) === 0, patient)
  return child
}

it('a relay that stands still is replaced within 15 s, and does no harm when it wakes up or is killed', async () => {
  const silent = await startLeader()
  const other = relayFor(database.url, database.db, nats)
  other.start()
  // It stops in the middle of its work: some events are sent and not yet noted.
  const burst = Promise.all(Array.from({ length: 300 }, (_, index) => tell(`burst-${index}`)))
  await until('some are out', async () => (await contentsOf(nats, 'STREAM')).length > 20, patient)
  silent.kill('SIGSTOP')
  const stoppedAtMs = performance.now()
  await burst
  await until('the other publishes the rest', async () => (await left()) === 0, patient)
  expect(performance.now() - stoppedAtMs).toBeLessThan(TAKEOVER_MS)
  silent.kill('SIGCONT')
  await tell('awake')
  await until('that is published', async () => (await left()) === 0, patient)
  silent.kill('SIGSTOP')
  silent.kill('SIGKILL')
  await exited(silent)
  await tell('last')
  await until('that is published too', async () => (await left()) === 0, patient)
  await other.stop()
  const events = await contentsOf(nats, 'STREAM')
  expect(events).toHaveLength(303)
  expect(new Set(events.map(({ id }) => id)).size).toBe(303)
}, 120_000)

it('a session that falls silent in the middle of a transaction loses its locks within 15 s', async () => {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in
      ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count')`.execute(
    database.db,
  )
  const seconds = Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
  const { tcp_keepalives_idle: idle, tcp_keepalives_interval: every, tcp_keepalives_count: count } = seconds
  expect((idle ?? 0) + (every ?? 0) * (count ?? 0)).toBeLessThan(15)
  expect(idle).toBeGreaterThan(0)
  const isOver = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const began = performance.now()
  const silent = database.db.transaction().execute(async (trx) => {
    await sql`lock table notes in access exclusive mode`.execute(trx)
    isLocked.resolve()
    await isOver.promise
    await sql`select 1`.execute(trx)
  })
  silent.catch(() => undefined)
  await isLocked.promise
  await until(
    'the lock is free',
    () =>
      sql`select 1 from notes`.execute(database.db).then(
        () => true,
        () => false,
      ),
    patient,
  )
  expect(performance.now() - began).toBeLessThan(TAKEOVER_MS)
  isOver.resolve()
  await expect(silent).rejects.toThrow()
}, 60_000)
