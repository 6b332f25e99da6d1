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
const longWait = { timeoutMs: 60_000 }

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

const publishNote = (note: string, data: object = { channelId: note }): Promise<void> =>
  database.db
    .transaction()
    .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, data as { channelId: string }))

/** Inserts an event into the outbox without the size limit, as an earlier version did. */
const insert = (type: string, data: object) =>
  sql`insert into outbox (id, type, occurred_at, aggregate_id, data)
    values (${newId()}, ${type}, now(), 'poison', ${JSON.stringify(data)}::jsonb)`.execute(database.db)

const deadLetters = () =>
  database.db
    .selectFrom('deadLetters')
    .select(['id', 'consumer', 'subject', 'error', 'envelope', 'replayedAt'])
    .execute()
const published = async (): Promise<string[]> =>
  (await contentsOf(nats, 'STREAM')).map(({ aggregateId }) => aggregateId)

it('an event that is too large for NATS is dead-lettered with the reason, and later ones are published in order', async () => {
  await publishNote('before')
  await insert('stream.channel.deleted.v1', { channelId: 'x'.repeat(3_000_000) })
  for (const name of ['one', 'two', 'three']) await publishNote(name)
  await until('the other events are published', async () => (await published()).length === 4, longWait)
  expect(await published()).toEqual(['before', 'one', 'two', 'three'])
  expect(await deadLetters()).toMatchObject([
    {
      consumer: 'outbox',
      subject: 'stream.channel.deleted.v1',
      replayedAt: null,
      error: expect.stringContaining('MAX_PAYLOAD_EXCEEDED'),
    },
  ])
  expect(await database.db.selectFrom('outbox').select('seq').execute()).toEqual([])
})

it('a dead letter that is returned to the outbox is published once with its own version, also after concurrent requests', async () => {
  await insert('stream.channel.deleted.v1', { channelId: 'x'.repeat(3_000_000) })
  const [deadLetter] = await until(
    'the event is dead-lettered',
    async () => (await deadLetters()).length === 1 && deadLetters(),
    longWait,
  )
  const envelope = {
    ...(deadLetter!.envelope as unknown as Parameters<typeof returnToOutbox>[2]),
    data: { channelId: 'small' },
  }
  const returnDeadLetter = () => returnToOutbox(database.db as never, deadLetter!.id, envelope as never)
  expect(
    (await Promise.all([returnDeadLetter(), returnDeadLetter(), returnDeadLetter()])).toSorted(),
  ).toEqual([false, false, true])
  await until('the event is published', async () => (await published()).length === 1, longWait)
  const [event] = await contentsOf(nats, 'STREAM')
  expect(event).toMatchObject({
    id: envelope.id,
    aggregateVersion: envelope.aggregateVersion,
    data: { channelId: 'small' },
  })
})

it.each([
  ['an invalid subject', 'stream.channel deleted.v1'],
  ['a subject that NATS keeps denying', DENIED],
])('an event with %s is dead-lettered as well', async (_what, type) => {
  await insert(type, { channelId: 'x' })
  await publishNote('next')
  await until('the next event is published', async () => (await published()).includes('next'), longWait)
  expect(await deadLetters()).toMatchObject([{ consumer: 'outbox', subject: type }])
})

it('an outage of NATS causes no dead letters', async () => {
  await publishNote('before')
  await until('the event is published', async () => (await published()).length === 1, longWait)
  await server.restart()
  await publishNote('after')
  await until('the second event is published', async () => (await published()).length === 2, longWait)
  expect(await deadLetters()).toEqual([])
})

it('an event beyond the size limit rolls back its transaction', async () => {
  const tooLarge = publishNote('x', { channelId: 'x'.repeat(MAX_EVENT_BYTES) })
  await expect(tooLarge).rejects.toThrow(/^the event stream\.channel\.deleted\.v1 has \d+ bytes/)
  expect(await database.db.selectFrom('outbox').select('seq').execute()).toEqual([])
})
