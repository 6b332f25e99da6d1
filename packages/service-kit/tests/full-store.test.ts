import { startNats } from '@looptide/testkit/nats'
import { SmallDisk } from '@looptide/testkit/small-disk'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { provisionStreams } from '../src/events/streams/streams.ts'
import { logger, notesDatabase, relayFor } from './fixtures.ts'

/** JetStream sets aside 256 MB for a stream, of three quarters of the disk. */
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

const tell = (channelId: string): Promise<void> =>
  database.db
    .transaction()
    .execute(async (trx) => appendEvent(trx, 'stream.channel.deleted.v1', channelId, { channelId }))
const waiting = async (): Promise<number> =>
  (await database.db.selectFrom('outbox').select('seq').execute()).length

it('events wait in the outbox while the disk of NATS is full, and leave in order when it is back with room', async () => {
  await tell('before')
  await until('it is told', async () => (await waiting()) === 0)
  disk.fill()
  const names = Array.from({ length: 20 }, (_, index) => `during-${index}`)
  for (const name of names) await tell(name)
  await until('what is told is refused', () =>
    relay.processAll().then(
      () => false,
      () => true,
    ),
  )
  const left = await waiting()
  expect(left).toBeGreaterThan(0)
  disk.free()
  // NATS 2.9 takes nothing for a stream that could not be written until it is started again.
  await server.restart()
  await until('all is told', async () => (await waiting()) === 0, { timeoutMs: 20_000 })
  const told = await contentsOf(nats, 'STREAM')
  expect([...new Set(told.map((event) => event.aggregateId))]).toEqual(['before', ...names])
}, 120_000)
