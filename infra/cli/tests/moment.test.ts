import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseOwnerNames } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import { type Envelope, streamName } from '@looptide/contracts/events'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import { connectNats } from '@looptide/service-kit/events/nats'
import {
  AckPolicy,
  jetstream,
  jetstreamManager,
  type NatsConnection,
} from '@looptide/service-kit/events/nats-client'
import { appendEvent } from '@looptide/service-kit/events/outbox'
import { OutboxRelay } from '@looptide/service-kit/events/relay/outbox-relay'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { createMetrics } from '@looptide/service-kit/telemetry/metrics'
import type { Backing } from '@looptide/testkit/backing'
import { testKeys } from '@looptide/testkit/event-keys'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase } from '@looptide/testkit/postgres'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pickMoment, type SeqOfStream } from '../src/backup/moment.ts'
import { readFloors, readUndelivered } from '../src/backup/undelivered.ts'

type NotesDb = EventTables & { notes: { id: string } }

const logger = createLogger('test', 'silent')
let backing: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<NotesDb>

beforeAll(async () => {
  backing = await startNats()
  nats = await connectNats(backing.url, 'test', logger)
  database = await freshDatabase()
  const noFurther = await mkdtemp(join(tmpdir(), 'looptide-moment-'))
  for (const owner of databaseOwnerNames) {
    const own = createDb<unknown>(database.migrationUrlFor(owner), logger, 1)
    await migrate(own, noFurther)
    await own.destroy()
  }
  await rm(noFurther, { recursive: true })
  db = createDb<NotesDb>(database.urlFor('chat'), logger)
  await sql`create table notes (id text primary key)`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
  await nats.close()
  await backing.stop()
})

/** Makes changes with events until it is stopped. */
async function write(writer: number, isOver: () => boolean): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    const id = `${writer}-${count}`
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('notes').values({ id }).execute()
      await appendEvent(trx, 'stream.channel.deleted.v1', id, { channelId: id })
    })
  }
}

/** Notes in the snapshot, and notes with an event in the outbox. */
const seenIn = (snapshotId: string): Promise<{ notes: Set<string>; outbox: string[] }> =>
  withClient(database.adminUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(`SET TRANSACTION SNAPSHOT '${snapshotId}'`)
    const { rows: notes } = await client.query<{ id: string }>('SELECT id FROM chat.notes')
    const { rows: outbox } = await client.query<{ id: string }>('SELECT aggregate_id AS id FROM chat.outbox')
    return { notes: new Set(notes.map(({ id }) => id)), outbox: outbox.map(({ id }) => id) }
  })

it('has every event of its changes in an outbox or in a stream, and no event of a later change', async () => {
  const manager = await jetstreamManager(nats)
  const tables = db as unknown as Kysely<EventTables>
  const relay = new OutboxRelay({
    databaseUrl: database.urlFor('chat'),
    db: tables,
    nats,
    logger,
    metrics: createMetrics('test'),
    keys: testKeys('stream'),
  })
  relay.start()
  const published = new Set<string>()
  let read: SeqOfStream = {}
  let isOver = false
  const writers = Promise.all([1, 2, 3, 4].map((writer) => write(writer, () => isOver)))
  try {
    for (let round = 0; round < 10; round += 1) {
      const moment = await pickMoment(database.adminUrl, manager)
      const { notes, outbox } = await seenIn(moment.snapshotId)
      await moment.release()
      for (const { body } of await readUndelivered(manager, read, moment.lastSeq))
        published.add((JSON.parse(body) as Envelope).aggregateId)
      read = moment.lastSeq
      expect(new Set([...outbox, ...published])).toEqual(notes)
    }
  } finally {
    isOver = true
    await writers
    await relay.stop()
  }
  expect(published.size).toBeGreaterThan(20)
})

it('keeps what the slowest consumer has not processed, and nothing that all have', async () => {
  const manager = await jetstreamManager(nats)
  // None of the station's services consumes it.
  const stream = streamName('admin')
  for (const name of ['slow', 'quick']) {
    await manager.consumers.add(stream, { durable_name: name, ack_policy: AckPolicy.Explicit })
  }
  const js = jetstream(nats)
  for (const aggregateId of ['a', 'b', 'c']) {
    const event: Partial<Envelope> = { type: 'admin.theme.activated.v1', aggregateId }
    await js.publish('admin.theme.activated.v1', JSON.stringify(event))
  }
  const take = async (name: string, count: number): Promise<void> => {
    const consumer = await js.consumers.get(stream, name)
    for (let taken = 0; taken < count; taken += 1) await (await consumer.next())?.ackAck()
  }
  await take('quick', 3)
  await take('slow', 1)
  const undelivered = async (): Promise<string[]> => {
    const floors = await readFloors(manager)
    const { lastSeq, release } = await pickMoment(database.adminUrl, manager)
    await release()
    const events = await readUndelivered(manager, floors, lastSeq)
    return events
      .filter(({ subject }) => subject.startsWith('admin.'))
      .map(({ body }) => (JSON.parse(body) as Envelope).aggregateId)
  }
  expect(await undelivered()).toEqual(['b', 'c'])
  await take('slow', 2)
  expect(await undelivered()).toEqual([])
})

it('is picked before an upgrade has made the tables of a new service', async () => {
  await withClient(database.adminUrl, (client) => client.query('DROP SCHEMA audience CASCADE'))
  const { release } = await pickMoment(database.adminUrl, await jetstreamManager(nats))
  await release()
})
