import { startNats } from '@looptide/testkit/nats'
import { SmallDisk } from '@looptide/testkit/small-disk'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { provisionStreams } from '../src/events/streams.ts'
import { logger, notesDatabase, relayFor } from './fixtures.ts'

/** JetStream uses three quarters of the disk, and reserves 256 MB of that for a stream. */
const DISK_MIB = 380

let disk: SmallDisk
let server: Awaited<ReturnType<typeof startNats>>
let database: Awaited<ReturnType<typeof notesDatabase>>
let nats: NatsConnection
let relay: ReturnType<typeof relayFor>

beforeAll(async () => {
  disk = await SmallDisk.make(DISK_MIB)
  ;[server, database] = await Promise.all([startNats(disk, { streams: false }), notesDatabase()])
  nats = await connectNats(server.url, 'test', logger)
  const manager = await jetstreamManager(nats)
  await provisionStreams(manager, { streams: ['STREAM'], subscriptions: {} })
  relay = relayFor(database.url, database.db, nats, 200)
  relay.start()
})
afterAll(async () => {
  await relay.stop()
  await nats.close()
  await database.drop()
  await server.stop()
  await disk.remove()
})

const publishNote = (channelId: string): Promise<void> =>
  database.db
    .transaction()
    .execute(async (trx) => appendEvent(trx, 'stream.channel.deleted.v1', channelId, { channelId }))
const outboxCount = async (): Promise<number> =>
  (await database.db.selectFrom('outbox').select('seq').execute()).length

it('events stay in the outbox while the disk of NATS is full, and are published in order after space was freed and NATS restarted', async () => {
  await publishNote('before')
  await until('the first event is published', async () => (await outboxCount()) === 0)
  disk.fill()
  const names = Array.from({ length: 20 }, (_, index) => `during-${index}`)
  for (const name of names) await publishNote(name)
  await until('NATS refuses an event', () =>
    relay.processAll().then(
      () => false,
      () => true,
    ),
  )
  expect(await outboxCount()).toBeGreaterThan(0)
  disk.free()
  // After a failed write, NATS 2.9 accepts no message for the stream until it is restarted.
  await server.restart()
  await until('all events are published', async () => (await outboxCount()) === 0, { timeoutMs: 60_000 })
  const published = await contentsOf(nats, 'STREAM')
  expect([...new Set(published.map((event) => event.aggregateId))]).toEqual(['before', ...names])
}, 120_000)
