import { NatsStore } from '@looptide/testkit/nats-store'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import type { Transaction } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { appendAudit } from '../src/audit.ts'
import type { EventConsumers, EventHandlers } from '../src/consumer.ts'
import { connectNats } from '../src/nats.ts'
import type { NatsConnection } from '../src/nats-client.ts'
import type { OutboxRelay } from '../src/outbox-relay.ts'
import { consumersFor, logger, type NotesDb, notesDatabase, provisionFor, relayFor } from './fixtures.ts'

const TYPE = 'stream.audit.recorded.v1'
const PATIENT = { timeoutMs: 60_000 }
vi.setConfig({ testTimeout: 240_000 })

let store: NatsStore
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let relay: OutboxRelay
let consumers: EventConsumers<Transaction<NotesDb>>
let recorded = 0

function startConsumers(): void {
  const handlers: EventHandlers<Transaction<NotesDb>> = {
    [TYPE]: async (trx, { aggregateVersion }) => {
      await trx.insertInto('steps').values({ note: 'audit', version: aggregateVersion }).execute()
    },
  }
  consumers = consumersFor(database.db, nats, handlers, undefined, 'admin-audit')
  consumers.start()
}

/** The streams are provisioned once: in containers nothing does it again when NATS is back. */
beforeEach(async () => {
  store = await NatsStore.start()
  nats = await connectNats(store.url, 'test', logger)
  await provisionFor(nats, [TYPE], 'admin-audit')
  database = await notesDatabase()
  relay = relayFor(database.url, database.db, nats, 100)
  relay.start()
  startConsumers()
  recorded = 0
})
afterEach(async () => {
  await Promise.all([consumers.stop(), relay.stop()])
  await nats.close()
  await database.drop()
  await store.stop()
})

async function record(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    recorded += 1
    const facts = { action: 'channel.update', targetType: 'channel', targetId: String(recorded) }
    await database.db
      .transaction()
      .execute((trx) => appendAudit(trx, TYPE, facts, { actorId: null, correlationId: null }))
  }
}

/** Every audit event has been applied once. */
async function expectAllOnce(): Promise<void> {
  const versions = async () => {
    const rows = await database.db.selectFrom('steps').select('version').orderBy('version').execute()
    return rows.map(({ version }) => version)
  }
  const all = Array.from({ length: recorded }, (_, index) => index + 1)
  await until('all are applied', async () => (await versions()).length >= recorded, PATIENT)
  await consumers.processAll()
  expect(await versions()).toEqual(all)
}

it('a consumer of audit events that is ahead of its stream after a power cut misses nothing', async () => {
  await record(10)
  await expectAllOnce()
  await store.save()
  await record(20)
  await expectAllOnce()
  await store.loseSinceSaved('messages', ['AUDIT'])
  await record(5)
  await expectAllOnce()
  expect((await contentsOf(nats, 'AUDIT')).length, 'repeats below its position').toBeGreaterThan(0)
  await provisionFor(nats, [TYPE], 'admin-audit')
  await until(
    'the next migration step empties it',
    async () => (await contentsOf(nats, 'AUDIT')).length === 0,
    PATIENT,
  )
  await expectAllOnce()
})

it('nor what is published while the relay has no published event left to fill the stream with', async () => {
  await record(2)
  await expectAllOnce()
  await store.save()
  await record(8)
  await expectAllOnce()
  await database.db.deleteFrom('publishedEvents').execute()
  await store.loseSinceSaved('messages', ['AUDIT'])
  await record(1)
  await expectAllOnce()
})

it('audit events that were lost before the consumer had them are published again', async () => {
  await record(2)
  await expectAllOnce()
  await consumers.stop()
  await store.save()
  await record(5)
  await until(
    'all are published',
    async () => (await database.db.selectFrom('outbox').select('seq').execute()).length === 0,
    PATIENT,
  )
  await store.loseSinceSaved('all', ['AUDIT'])
  startConsumers()
  await expectAllOnce()
})
