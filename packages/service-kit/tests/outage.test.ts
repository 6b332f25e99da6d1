import type { EventType } from '@looptide/contracts/events'
import type { Backing } from '@looptide/testkit/backing'
import { storeEvent } from '@looptide/testkit/event-keys'
import { type NatsBacking, startNats } from '@looptide/testkit/nats'
import { startPostgres } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { streamsCheck } from '../src/events/streams/streams-check.ts'
import { channelDeleted, consumersFor, logger, notesDatabase, provisionFor, relayFor } from './fixtures.ts'

let backing: NatsBacking
let postgres: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let tries = 0
const CONSUMED: readonly EventType[] = ['stream.channel.deleted.v1', 'catalogue.home.changed.v1']
// Servers stop and start here, perhaps beside other tests: a failure is not a matter of seconds.
const patient = { timeoutMs: 60_000 }
vi.setConfig({ testTimeout: 180_000 })
let relay: ReturnType<typeof relayFor>
let consumers: ReturnType<typeof consumersFor>

// A Postgres of its own: the one that the run shares must not be stopped.
beforeAll(async () => {
  ;[backing, postgres] = await Promise.all([startNats(), startPostgres()])
  nats = await connectNats(backing.url, 'test', logger)
  database = await notesDatabase(postgres.url)
  await provisionFor(nats, CONSUMED)
  relay = relayFor(database.url, database.db, nats)
  consumers = consumersFor(database.db, nats, {
    'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
      await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
    },
    'catalogue.home.changed.v1': async () => {
      tries += 1
      await sql`select 1`.execute(database.db)
    },
  })
  relay.start()
  consumers.start()
})
afterAll(async () => {
  await Promise.all([relay.stop(), consumers.stop()])
  await nats.close()
  await database.db.destroy()
  await Promise.all([backing.stop(), postgres.stop()])
})

const tell = (note: string): Promise<void> =>
  database.db
    .transaction()
    .execute(async (trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))

const taken = async (note: string): Promise<boolean> =>
  (await database.db.selectFrom('steps').select('seq').where('note', '=', note).execute()).length === 1

describe('while Postgres is away', () => {
  it('an event waits however long it takes, and is not taken for poison', async () => {
    await tell('before')
    await until('the first is taken', () => taken('before'), patient)
    postgres.kill()
    await until('Postgres is away', () =>
      sql`select 1`.execute(database.db).then(
        () => false,
        () => true,
      ),
    )
    const event = channelDeleted('during')
    await storeEvent(nats, event)
    const manager = await jetstreamManager(nats)
    await until(
      'it was delivered more often than a fault would be',
      async () => {
        const info = await manager.consumers.info('STREAM', 'notes--stream')
        return info.delivered.consumer_seq - info.delivered.stream_seq > 7
      },
      patient,
    )
    await postgres.restart()
    await until('the event is taken', () => taken('during'), patient)
    await tell('after')
    await until('the relay is back too', () => taken('after'), patient)
    expect(await database.db.selectFrom('deadLetters').selectAll().execute()).toEqual([])
    expect(tries).toBe(0)
  })
})

describe('while NATS is away', () => {
  it('events wait in the outbox and leave in order when it is back', async () => {
    backing.kill()
    for (const note of ['n1', 'n2', 'n3']) await tell(note)
    await backing.restart()
    await until('the last is taken', () => taken('n3'), patient)
    const { rows } = await sql<{ note: string }>`
      select note from steps where note like 'n_' order by seq`.execute(database.db)
    expect(rows.map((row) => row.note)).toEqual(['n1', 'n2', 'n3'])
  })

  it('a wiped store is reported, and used again once its streams are created', async () => {
    await backing.wipe()
    await tell('wiped')
    await backing.restart()
    const check = streamsCheck(nats, 'stream-notes', [])
    await until('NATS answers', () => nats.flush().then(() => true), patient)
    await expect(check.check()).rejects.toThrow('missing in NATS: STREAM, AUDIT (run the migration step)')
    await provisionFor(nats, CONSUMED)
    await check.check()
    await until('the event is taken', () => taken('wiped'), patient)
  })

  it('a stream that was deleted under the consumers is used again once it is created', async () => {
    await (await jetstreamManager(nats)).streams.delete('STREAM')
    await tell('deleted')
    await provisionFor(nats, CONSUMED)
    await until('the event is taken', () => taken('deleted'), patient)
  })
})
