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
const longWait = { timeoutMs: 40_000 }

let backing: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let db: Kysely<NotesDb>
let consumers: ReturnType<typeof consumersFor>
let triesOfSlow: number

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
  db = createDb<NotesDb>(database.url, logger, 4, { statementMs: STATEMENT_MS })
  triesOfSlow = 0
  consumers = consumersFor(db, nats, {
    'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
      if (data.channelId === 'slow') {
        triesOfSlow += 1
        await sql`select pg_sleep(60)`.execute(trx)
      }
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

it('an event whose handler exceeds the statement timeout is dead-lettered after five tries, and the next is applied', async () => {
  const slow = channelDeleted('slow')
  await publish(slow)
  await publish(channelDeleted('next'))
  await until('the next event is applied', () => isApplied('next'), longWait)
  expect(triesOfSlow).toBe(5)
  const letters = await database.db.selectFrom('deadLetters').select(['eventId', 'error']).execute()
  expect(letters).toEqual([{ eventId: slow.id, error: 'canceling statement due to statement timeout' }])
})

it('a database whose writes time out causes no dead letters, however long that lasts', async () => {
  const lockReleased = Promise.withResolvers<void>()
  const tablesLocked = Promise.withResolvers<void>()
  const lockingTransaction = database.db.transaction().execute(async (trx) => {
    // Every write of a handler and of its inbox waits for this lock.
    await sql`lock table inbox, steps in exclusive mode`.execute(trx)
    tablesLocked.resolve()
    const keepAlive = setInterval(() => void sql`select 1`.execute(trx), 1000)
    await lockReleased.promise
    clearInterval(keepAlive)
  })
  await tablesLocked.promise
  await publish(channelDeleted('waits'))
  const manager = await jetstreamManager(nats)
  await until(
    'the event was delivered more often than a failing event would be',
    async () => {
      const { delivered } = await manager.consumers.info('STREAM', 'notes--stream')
      return delivered.consumer_seq - delivered.stream_seq > 7
    },
    longWait,
  )
  lockReleased.resolve()
  await lockingTransaction
  await until('the event is applied', () => isApplied('waits'), longWait)
  expect(await database.db.selectFrom('deadLetters').selectAll().execute()).toEqual([])
})
