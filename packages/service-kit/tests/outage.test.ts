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
// Servers are stopped and started here while other tests may use the machine, so waits may take long.
const longWait = { timeoutMs: 60_000 }
vi.setConfig({ testTimeout: 180_000 })
let relay: ReturnType<typeof relayFor>
let consumers: ReturnType<typeof consumersFor>

// These tests stop Postgres, so they start their own and do not use the shared one.
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

const publishNote = (note: string): Promise<void> =>
  database.db
    .transaction()
    .execute(async (trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))

const isApplied = async (note: string): Promise<boolean> =>
  (await database.db.selectFrom('steps').select('seq').where('note', '=', note).execute()).length === 1

describe('while Postgres is down', () => {
  it('an event is delivered again until it can be applied, and is not dead-lettered', async () => {
    await publishNote('before')
    await until('the first event is applied', () => isApplied('before'), longWait)
    postgres.kill()
    await until('Postgres is down', () =>
      sql`select 1`.execute(database.db).then(
        () => false,
        () => true,
      ),
    )
    const event = channelDeleted('during')
    await storeEvent(nats, event)
    const manager = await jetstreamManager(nats)
    await until(
      'the event was delivered more often than a failing event would be',
      async () => {
        const info = await manager.consumers.info('STREAM', 'notes--stream')
        return info.delivered.consumer_seq - info.delivered.stream_seq > 7
      },
      longWait,
    )
    await postgres.restart()
    await until('the event is applied', () => isApplied('during'), longWait)
    await publishNote('after')
    await until('the relay publishes again', () => isApplied('after'), longWait)
    expect(await database.db.selectFrom('deadLetters').selectAll().execute()).toEqual([])
    expect(tries).toBe(0)
  })
})

describe('while NATS is down', () => {
  it('events stay in the outbox, and are published in order when it is back', async () => {
    backing.kill()
    for (const note of ['n1', 'n2', 'n3']) await publishNote(note)
    await backing.restart()
    await until('the last event is applied', () => isApplied('n3'), longWait)
    const { rows } = await sql<{ note: string }>`
      select note from steps where note like 'n_' order by seq`.execute(database.db)
    expect(rows.map((row) => row.note)).toEqual(['n1', 'n2', 'n3'])
  })

  it('a wiped store is reported, and used again once its streams are created', async () => {
    await backing.wipe()
    await publishNote('wiped')
    await backing.restart()
    const check = streamsCheck(nats, 'stream-notes', [])
    await until('NATS answers', () => nats.flush().then(() => true), longWait)
    await expect(check.check()).rejects.toThrow('missing in NATS: STREAM, AUDIT (run the migration step)')
    await provisionFor(nats, CONSUMED)
    await check.check()
    await until('the event is applied', () => isApplied('wiped'), longWait)
  })

  it('a stream that was deleted while consumers used it is used again once it is created', async () => {
    await (await jetstreamManager(nats)).streams.delete('STREAM')
    await publishNote('deleted')
    await provisionFor(nats, CONSUMED)
    await until('the event is applied', () => isApplied('deleted'), longWait)
  })
})
