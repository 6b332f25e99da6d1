import type { ChildProcess } from 'node:child_process'
import type { Backing } from '@looptide/testkit/backing'
import { startNats } from '@looptide/testkit/nats'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import type { OutboxRelay } from '../src/events/relay/outbox-relay.ts'
import { provisionStreams } from '../src/events/streams/streams.ts'
import { exited, logger, notesDatabase, relayFor, run } from './fixtures.ts'

let backing: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
const relays: OutboxRelay[] = []
const children: ChildProcess[] = []
// The machine may be busy with other tests: a failure is not a matter of seconds.
const patient = { timeoutMs: 60_000 }

beforeAll(async () => {
  backing = await startNats()
  nats = await connectNats(backing.url, 'test', logger)
})
afterAll(async () => {
  await nats.close()
  await backing.stop()
})
beforeEach(async () => {
  database = await notesDatabase()
  const manager = await jetstreamManager(nats)
  await manager.streams.purge('STREAM')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  await database.drop()
})

const relay = (pollMs?: number): OutboxRelay => {
  const made = relayFor(database.url, database.db, nats, pollMs)
  relays.push(made)
  return made
}

/** Changes a note and publishes an event, as every service does. */
const change = (note: string): Promise<void> =>
  database.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('notes')
      .values({ id: note, text: '' })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ text: '.' }))
      .execute()
    await appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note })
  })

/** Ten at a time: as many as the pool has connections. */
async function changeMany(count: number): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await change(`note-${next % 5}`)
    }
  }
  await Promise.all(Array.from({ length: 10 }, lane))
}

const left = async (): Promise<number> =>
  Number((await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(database.db)).rows[0]?.n)

async function expectAllOnceInOrder(count: number): Promise<void> {
  const events = await contentsOf(nats, 'STREAM')
  expect(new Set(events.map((event) => event.id)).size).toBe(count)
  expect(events).toHaveLength(count)
  for (const note of new Set(events.map((event) => event.aggregateId))) {
    const versions = events
      .filter((event) => event.aggregateId === note)
      .map((event) => event.aggregateVersion)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
}

describe('the outbox', () => {
  it('leaves nothing behind when the transaction fails', async () => {
    const failed = database.db.transaction().execute(async (trx) => {
      await appendEvent(trx, 'stream.channel.deleted.v1', 'a', { channelId: 'a' })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await left()).toBe(0)
  })

  it('carries every event once, each note’s in their order', async () => {
    relay().start()
    await changeMany(500)
    await until('the outbox is empty', async () => (await left()) === 0, patient)
    await expectAllOnceInOrder(500)
  })

  it('does not pass over an event whose transaction commits late', async () => {
    const first = relay()
    const numbered = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const late = database.db.transaction().execute(async (trx) => {
      await appendEvent(trx, 'stream.channel.deleted.v1', 'late', { channelId: 'late' })
      numbered.resolve()
      await commit.promise
    })
    await numbered.promise
    await change('early')
    await first.processAll()
    commit.resolve()
    await late
    await first.processAll()
    expect((await contentsOf(nats, 'STREAM')).map((event) => event.aggregateId)).toEqual(['early', 'late'])
  })

  it('is woken by each commit, also by one that comes while it is publishing', {
    timeout: 120_000,
  }, async () => {
    relay(600_000).start()
    for (let i = 0; i < 30; i += 1) {
      await Promise.all([change('a'), change('b')])
      await until('both have left', async () => (await left()) === 0, patient)
    }
    await expectAllOnceInOrder(60)
  })

  it('publishes again what was stored but not acknowledged, and the stream still holds it once', async () => {
    const first = relay()
    await changeMany(20)
    const rows = await sql`select * from outbox order by seq`.execute(database.db)
    await first.processAll()
    for (const row of rows.rows.slice(5) as Record<string, unknown>[]) {
      await database.db
        .insertInto('outbox')
        .values({ ...row, data: JSON.stringify(row.data) } as never)
        .execute()
    }
    await change('new')
    await first.processAll()
    await expectAllOnceInOrder(21)
    expect(await left()).toBe(0)
  })

  it('keeps its events while their stream is missing, and publishes them once it is created', async () => {
    const manager = await jetstreamManager(nats)
    await manager.streams.delete('STREAM')
    await changeMany(10)
    await expect(relay().processAll()).rejects.toThrow()
    expect(await left()).toBe(10)
    await provisionStreams(manager)
    await until('all have left', async () => {
      await relay().processAll()
      return (await left()) === 0
    })
    await expectAllOnceInOrder(10)
  })
})

describe('relays of several replicas', () => {
  const leader = async (): Promise<string | undefined> => {
    const held = database.db.selectFrom('leases').select('holder').where('name', '=', 'outbox')
    return (await held.executeTakeFirst())?.holder
  }

  it('lead one at a time, and the next takes over when one stops', async () => {
    const [one, two] = [relay(), relay()]
    one.start()
    const first = await until('one leads', leader, patient)
    two.start()
    await changeMany(50)
    await until('the outbox is empty', async () => (await left()) === 0, patient)
    expect(await leader()).toBe(first)
    await one.stop()
    await changeMany(50)
    await until('the outbox is empty again', async () => (await left()) === 0, patient)
    expect(await leader()).not.toBe(first)
    await expectAllOnceInOrder(100)
  })

  it('lose and double nothing when they are killed in the middle', { timeout: 120_000 }, async () => {
    const env = { TEST_DATABASE_URL: database.url, TEST_NATS_URL: backing.url }
    const total = 600
    const changing = changeMany(total)
    for (const part of [0.2, 0.5]) {
      const child = run('relay-process.ts', env)
      children.push(child)
      await until(
        'some are out',
        async () => {
          const { state } = await (await jetstreamManager(nats)).streams.info('STREAM')
          return state.messages >= total * part
        },
        patient,
      )
      child.kill('SIGKILL')
      await exited(child)
    }
    await changing
    relay().start()
    await until('the outbox is empty', async () => (await left()) === 0, patient)
    await expectAllOnceInOrder(total)
  })
})
