import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NatsStore } from '@looptide/testkit/nats-store'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { newId } from '../src/db/ids.ts'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent, MAX_EVENT_BYTES } from '../src/events/outbox.ts'
import { returnToOutbox } from '../src/events/published-events.ts'
import type { OutboxRelay } from '../src/events/relay/outbox-relay.ts'
import { logger, notesDatabase, provisionFor, relayFor } from './fixtures.ts'

const DENIED = 'stream.channel.updated.v1'
const patient = { timeoutMs: 20_000 }

let folder: string
let server: NatsStore
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let relay: OutboxRelay

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looptide-denied-'))
  const config = join(folder, 'nats.conf')
  await writeFile(
    config,
    `authorization { users: [{ user: a, password: b, permissions: { publish: { deny: ["${DENIED}"] } } }] }`,
  )
  server = await NatsStore.start(['--config', config])
  const url = new URL(server.url)
  ;[url.username, url.password] = ['a', 'b']
  nats = await connectNats(url.href, 'test', logger)
  await provisionFor(nats, ['stream.channel.deleted.v1'])
})
afterAll(async () => {
  await nats.close()
  await server.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  database = await notesDatabase()
  await (await jetstreamManager(nats)).streams.purge('STREAM')
  relay = relayFor(database.url, database.db, nats, 100, { deniedMs: 1500 })
  relay.start()
})
afterEach(async () => {
  await relay.stop()
  await database.drop()
})

const tell = (note: string, data: object = { channelId: note }): Promise<void> =>
  database.db
    .transaction()
    .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, data as { channelId: string }))

/** Straight into the table, as a version without the limit would have. */
const insert = (type: string, data: object) =>
  sql`insert into outbox (id, type, occurred_at, aggregate_id, data)
    values (${newId()}, ${type}, now(), 'poison', ${JSON.stringify(data)}::jsonb)`.execute(database.db)

const letters = () =>
  database.db
    .selectFrom('deadLetters')
    .select(['id', 'consumer', 'subject', 'error', 'envelope', 'replayedAt'])
    .execute()
const published = async (): Promise<string[]> =>
  (await contentsOf(nats, 'STREAM')).map(({ aggregateId }) => aggregateId)

it('an event that is too large for NATS is put aside with the reason, and those behind it are published in order', async () => {
  await tell('before')
  await insert('stream.channel.deleted.v1', { channelId: 'x'.repeat(3_000_000) })
  for (const name of ['one', 'two', 'three']) await tell(name)
  await until('the others are published', async () => (await published()).length === 4, patient)
  expect(await published()).toEqual(['before', 'one', 'two', 'three'])
  expect(await letters()).toMatchObject([
    {
      consumer: 'outbox',
      subject: 'stream.channel.deleted.v1',
      replayedAt: null,
      error: expect.stringContaining('MAX_PAYLOAD_EXCEEDED'),
    },
  ])
  expect(await database.db.selectFrom('outbox').select('seq').execute()).toEqual([])
})

it('a dead letter that is put back is published once under its own number, also when two ask for it', async () => {
  await insert('stream.channel.deleted.v1', { channelId: 'x'.repeat(3_000_000) })
  const [letter] = await until(
    'it is put aside',
    async () => (await letters()).length === 1 && letters(),
    patient,
  )
  const cause = {
    ...(letter!.envelope as unknown as Parameters<typeof returnToOutbox>[2]),
    data: { channelId: 'small' },
  }
  const put = () => returnToOutbox(database.db as never, letter!.id, cause as never)
  expect((await Promise.all([put(), put(), put()])).toSorted()).toEqual([false, false, true])
  await until('it is published', async () => (await published()).length === 1, patient)
  const [event] = await contentsOf(nats, 'STREAM')
  expect(event).toMatchObject({
    id: cause.id,
    aggregateVersion: cause.aggregateVersion,
    data: { channelId: 'small' },
  })
})

it.each([
  ['a subject that is none', 'stream.channel deleted.v1'],
  ['a subject that NATS goes on denying', DENIED],
])('an event of %s is put aside as well', async (_what, type) => {
  await insert(type, { channelId: 'x' })
  await tell('behind')
  await until('the next is published', async () => (await published()).includes('behind'), patient)
  expect(await letters()).toMatchObject([{ consumer: 'outbox', subject: type }])
})

it('an outage of NATS puts nothing aside', async () => {
  await tell('before')
  await until('it is published', async () => (await published()).length === 1, patient)
  await server.restart()
  await tell('after')
  await until('it is published too', async () => (await published()).length === 2, patient)
  expect(await letters()).toEqual([])
})

it('an event beyond the limit rolls back its change', async () => {
  const tooLarge = tell('x', { channelId: 'x'.repeat(MAX_EVENT_BYTES) })
  await expect(tooLarge).rejects.toThrow(/^the event stream\.channel\.deleted\.v1 has \d+ bytes/)
  expect(await database.db.selectFrom('outbox').select('seq').execute()).toEqual([])
})
