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
import { provisionStreams } from '../src/events/streams.ts'
import { exited, logger, notesDatabase, relayFor, run } from './fixtures.ts'

let backing: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
const relays: OutboxRelay[] = []
const children: ChildProcess[] = []
// Other tests may use the machine at the same time, so waits may take long.
const longWait = { timeoutMs: 60_000 }

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
  const created = relayFor(database.url, database.db, nats, pollMs)
  relays.push(created)
  return created
}

/** Changes a note and publishes an event, as every service does. */
const changeNote = (note: string): Promise<void> =>
  database.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('notes')
      .values({ id: note, text: '' })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ text: '.' }))
      .execute()
    await appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note })
  })

/** Changes notes ten at a time, the number of connections in the pool. */
async function changeNotes(count: number): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await changeNote(`note-${next % 5}`)
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
}

const outboxCount = async (): Promise<number> =>
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
  it('contains nothing of a transaction that fails', async () => {
    const failed = database.db.transaction().execute(async (trx) => {
      await appendEvent(trx, 'stream.channel.deleted.v1', 'a', { channelId: 'a' })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await outboxCount()).toBe(0)
  })

  it('publishes every event once, and the events of each note in order', async () => {
    relay().start()
    await changeNotes(500)
    await until('the outbox is empty', async () => (await outboxCount()) === 0, longWait)
    await expectAllOnceInOrder(500)
  })

  it('does not skip an event whose transaction commits late', async () => {
    const first = relay()
    const appended = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const late = database.db.transaction().execute(async (trx) => {
      await appendEvent(trx, 'stream.channel.deleted.v1', 'late', { channelId: 'late' })
      appended.resolve()
      await commit.promise
    })
    await appended.promise
    await changeNote('early')
    await first.processAll()
    commit.resolve()
    await late
    await first.processAll()
    expect((await contentsOf(nats, 'STREAM')).map((event) => event.aggregateId)).toEqual(['early', 'late'])
  })

  it('is published after each commit, also after one that comes while the relay publishes', {
    timeout: 120_000,
  }, async () => {
    relay(600_000).start()
    for (let i = 0; i < 30; i += 1) {
      await Promise.all([changeNote('a'), changeNote('b')])
      await until('both events are published', async () => (await outboxCount()) === 0, longWait)
    }
    await expectAllOnceInOrder(60)
  })

  it('publishes events again that were stored but not acknowledged, and the stream holds each once', async () => {
    const first = relay()
    await changeNotes(20)
    const rows = await sql`select * from outbox order by seq`.execute(database.db)
    await first.processAll()
    for (const row of rows.rows.slice(5) as Record<string, unknown>[]) {
      await database.db
        .insertInto('outbox')
        .values({ ...row, data: JSON.stringify(row.data) } as never)
        .execute()
    }
    await changeNote('new')
    await first.processAll()
    await expectAllOnceInOrder(21)
    expect(await outboxCount()).toBe(0)
  })

  it('keeps its events while their stream is missing, and publishes them once it is created', async () => {
    const manager = await jetstreamManager(nats)
    await manager.streams.delete('STREAM')
    await changeNotes(10)
    await expect(relay().processAll()).rejects.toThrow()
    expect(await outboxCount()).toBe(10)
    await provisionStreams(manager)
    await until('all events are published', async () => {
      await relay().processAll()
      return (await outboxCount()) === 0
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
    const first = await until('the first relay leads', leader, longWait)
    two.start()
    await changeNotes(50)
    await until('the outbox is empty', async () => (await outboxCount()) === 0, longWait)
    expect(await leader()).toBe(first)
    await one.stop()
    await changeNotes(50)
    await until('the outbox is empty again', async () => (await outboxCount()) === 0, longWait)
    expect(await leader()).not.toBe(first)
    await expectAllOnceInOrder(100)
  })

  it('lose and duplicate no event when they are killed while they publish', {
    timeout: 120_000,
  }, async () => {
    const env = { TEST_DATABASE_URL: database.url, TEST_NATS_URL: backing.url }
    const total = 600
    const changing = changeNotes(total)
    for (const part of [0.2, 0.5]) {
      const child = run('relay-process.ts', env)
      children.push(child)
      await until(
        `the stream holds ${part * 100}% of the events`,
        async () => {
          const { state } = await (await jetstreamManager(nats)).streams.info('STREAM')
          return state.messages >= total * part
        },
        longWait,
      )
      child.kill('SIGKILL')
      await exited(child)
    }
    await changing
    relay().start()
    await until('the outbox is empty', async () => (await outboxCount()) === 0, longWait)
    await expectAllOnceInOrder(total)
  })
})
