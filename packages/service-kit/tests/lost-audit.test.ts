import { durableName } from '@looptide/contracts/event-subscriptions'
import { AUDIT_STREAM } from '@looptide/contracts/events'
import { NatsStore } from '@looptide/testkit/nats-store'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import type { Transaction } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { appendAudit } from '../src/audit/audit.ts'
import type { EventConsumers } from '../src/events/consumer.ts'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { consumersFor, logger, type NotesDb, notesDatabase, provisionFor, relayFor } from './fixtures.ts'

const TYPE = 'stream.audit.recorded.v1'
/** The audit log's name: its consumer is the one that empties the audit stream. */
const LOG = 'admin-audit'
const patient = { timeoutMs: 60_000 }
vi.setConfig({ testTimeout: 180_000 })

let store: NatsStore
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let relay: ReturnType<typeof relayFor>
let consumers: EventConsumers<Transaction<NotesDb>>
let recorded = 0

beforeEach(async () => {
  store = await NatsStore.start()
  nats = await connectNats(store.url, 'test', logger)
  await provision()
  database = await notesDatabase()
  relay = relayFor(database.url, database.db, nats, 100)
  consumers = consumersFor(
    database.db,
    nats,
    {
      [TYPE]: async (trx, { data, aggregateVersion }) => {
        await trx
          .insertInto('steps')
          .values({ note: data.targetId ?? '', version: aggregateVersion })
          .execute()
      },
    },
    undefined,
    LOG,
  )
  recorded = 0
})
afterEach(async () => {
  await Promise.all([consumers.stop(), relay.stop()])
  await nats.close()
  await database.drop()
  await store.stop()
})

/** As the migration step does it, and the runner after each reconnect. */
const provision = (): Promise<true> =>
  until('the streams are there', () => provisionFor(nats, [TYPE], LOG).then(() => true as const), patient)

async function record(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    recorded += 1
    const facts = { action: 'theme.activate', targetType: 'test', targetId: `action-${recorded}` } as const
    await database.db.transaction().execute((trx) => appendAudit(trx, TYPE, facts, {}))
  }
}

const published = () =>
  until(
    'the outbox is empty',
    async () => (await database.db.selectFrom('outbox').select('seq').execute()).length === 0,
    patient,
  )
const applied = async (): Promise<string[]> =>
  (await database.db.selectFrom('steps').select('note').orderBy('seq').execute()).map(({ note }) => note)
const stored = async (): Promise<number> => (await contentsOf(nats, AUDIT_STREAM)).length

async function expectEachOnce(): Promise<void> {
  await until('the log has them all', async () => (await applied()).length >= recorded, patient)
  await consumers.processAll()
  const all = Array.from({ length: recorded }, (_, index) => `action-${index + 1}`)
  expect((await applied()).toSorted()).toEqual(all.toSorted())
}

/** The store is saved after `saved` events and then takes `more`; the log has taken all of them. */
async function takeBeyondSaved(saved: number, more: number): Promise<void> {
  relay.start()
  consumers.start()
  await record(saved)
  await expectEachOnce()
  await store.save()
  await record(more)
  await expectEachOnce()
}

describe('when NATS has lost audit events', () => {
  it('that the log has not taken yet, they are published again and each is recorded once', async () => {
    relay.start()
    await record(5)
    await published()
    await store.save()
    await record(5)
    await published()
    await store.loseSinceSaved('all', [AUDIT_STREAM])
    await until('the lost ones are there again', async () => (await stored()) >= 10, patient)
    consumers.start()
    await expectEachOnce()
  })

  it('that the log has taken, they are published again and recorded once', async () => {
    relay.start()
    consumers.start()
    await record(10)
    await expectEachOnce()
    await store.wipe()
    await provision()
    await record(3)
    await expectEachOnce()
  })

  it('a log that was further than what is left misses nothing once its consumer is provisioned again', async () => {
    await takeBeyondSaved(5, 20)
    await relay.stop()
    // Nothing is left to be published again: the new events have places that the consumer has passed.
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await provision()
    await record(3)
    relay = relayFor(database.url, database.db, nats, 100)
    relay.start()
    await expectEachOnce()
  })

  it('a log that was further than what is left misses nothing without a migration step, which tidies up later', async () => {
    await takeBeyondSaved(5, 20)
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await record(3)
    await expectEachOnce()
    expect(await stored(), 'events below the position of the log').toBeGreaterThan(0)
    await provision()
    await until('the stream is empty', async () => (await stored()) === 0, patient)
    await expectEachOnce()
  })

  it('does not fill the stream where the consumer is replaced at once', async () => {
    await takeBeyondSaved(2, 20)
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await provision()
    await record(1)
    await expectEachOnce()
    const { state } = await (await jetstreamManager(nats)).streams.info(AUDIT_STREAM)
    expect(state.last_seq).toBeLessThan(10)
  })

  it('keeps its consumer after a restart, although a power cut had emptied the file of it', async () => {
    const manager = await jetstreamManager(nats)
    const answer = () =>
      manager.consumers.info(AUDIT_STREAM, durableName(LOG, AUDIT_STREAM)).then(
        () => 'there',
        (error: Error) => error.message,
      )
    await store.emptyConsumerFiles(AUDIT_STREAM)
    await until('the consumer is gone', async () => (await answer()) === 'consumer not found', patient)
    await provision()
    await store.restart()
    await until('NATS answers again', async () => (await answer()) !== 'TIMEOUT', patient)
    expect(await answer()).toBe('there')
  })

  it('nor does it when there is no published event to fill the stream with', async () => {
    await takeBeyondSaved(2, 8)
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await record(1)
    await expectEachOnce()
  })
})
