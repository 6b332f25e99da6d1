import type { Envelope } from '@looptide/contracts/events'
import type { Backing } from '@looptide/testkit/backing'
import { storeEvent } from '@looptide/testkit/event-keys'
import { startNats } from '@looptide/testkit/nats'
import { until } from '@looptide/testkit/until'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createDb } from '../src/db/db.ts'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import {
  channelDeleted,
  consumersFor,
  logger,
  type NotesDb,
  notesDatabase,
  provisionFor,
} from './fixtures.ts'

const STATEMENT_MS = 300
const patient = { timeoutMs: 40_000 }

let backing: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let db: Kysely<NotesDb>
let consumers: ReturnType<typeof consumersFor>
let tries: number

beforeAll(async () => {
  backing = await startNats()
  nats = await connectNats(backing.url, 'test', logger)
  await provisionFor(nats, ['stream.channel.deleted.v1'])
})
afterAll(async () => {
  await nats.close()
  await backing.stop()
})
beforeEach(async () => {
  database = await notesDatabase()
  db = createDb<NotesDb>(database.url, logger, 4, STATEMENT_MS)
  tries = 0
  consumers = consumersFor(db, nats, {
    'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
      tries += 1
      if (data.channelId === 'slow') await sql`select pg_sleep(60)`.execute(trx)
      await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
    },
  })
  consumers.start()
})
afterEach(async () => {
  await consumers.stop()
  await db.destroy()
  await database.drop()
  await (await jetstreamManager(nats)).streams.purge('STREAM')
})

const publish = async (envelope: Envelope): Promise<void> => {
  await storeEvent(nats, envelope)
}
const isApplied = async (note: string): Promise<boolean> =>
  (await database.db.selectFrom('steps').select('seq').where('note', '=', note).execute()).length === 1

it('a handler whose statement takes too long is given up after five tries, and those behind it go on', async () => {
  const slow = channelDeleted('slow')
  await publish(slow)
  await publish(channelDeleted('next'))
  await until('the next one is applied', () => isApplied('next'), patient)
  expect(tries).toBe(6)
  const letters = await database.db.selectFrom('deadLetters').select(['eventId', 'error']).execute()
  expect(letters).toEqual([{ eventId: slow.id, error: 'canceling statement due to statement timeout' }])
}, 60_000)

it('a database that takes no writes in time makes no dead letters, however long it lasts', async () => {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const stall = database.db.transaction().execute(async (trx) => {
    // Everything a handler and its inbox write waits.
    await sql`lock table inbox, steps in exclusive mode`.execute(trx)
    locked.resolve()
    const alive = setInterval(() => void sql`select 1`.execute(trx), 1000)
    await held.promise
    clearInterval(alive)
  })
  await locked.promise
  await publish(channelDeleted('waits'))
  const manager = await jetstreamManager(nats)
  await until(
    'it was delivered more often than a fault would be',
    async () => {
      const { delivered } = await manager.consumers.info('STREAM', 'notes--stream')
      return delivered.consumer_seq - delivered.stream_seq > 7
    },
    patient,
  )
  held.resolve()
  await stall
  await until('it is applied', () => isApplied('waits'), patient)
  expect(await database.db.selectFrom('deadLetters').selectAll().execute()).toEqual([])
}, 90_000)
