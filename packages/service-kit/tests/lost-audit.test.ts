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
/** Service name of the audit log, whose consumer empties the audit stream. */
const LOG = 'admin-audit'
const longWait = { timeoutMs: 60_000 }
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
  store.follow(nats)
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

/** Provisions the streams and the consumer, as the migration step does, and the runner after each reconnect. */
const provision = (): Promise<true> =>
  until(
    'the streams are provisioned',
    () => provisionFor(nats, [TYPE], LOG).then(() => true as const),
    longWait,
  )

async function record(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    recorded += 1
    const facts = { action: 'theme.activate', targetType: 'test', targetId: `action-${recorded}` } as const
    await database.db.transaction().execute((trx) => appendAudit(trx, TYPE, facts, {}))
  }
}

const allPublished = () =>
  until(
    'the outbox is empty',
    async () => (await database.db.selectFrom('outbox').select('seq').execute()).length === 0,
    longWait,
  )
const appliedTargets = async (): Promise<string[]> =>
  (await database.db.selectFrom('steps').select('note').orderBy('seq').execute()).map(({ note }) => note)
const storedCount = async (): Promise<number> => (await contentsOf(nats, AUDIT_STREAM)).length

async function expectEachOnce(): Promise<void> {
  await until('all entries are recorded', async () => (await appliedTargets()).length >= recorded, longWait)
  await consumers.processAll()
  const all = Array.from({ length: recorded }, (_, index) => `action-${index + 1}`)
  expect((await appliedTargets()).toSorted()).toEqual(all.toSorted())
}

/** Makes the relay fill a gap below the position of the audit log soon: the default leaves ten seconds for the runner. */
function useRelayThatFillsSoon(): void {
  relay = relayFor(database.url, database.db, nats, 100, { aheadMs: 500 })
}

/** Records `saved` events, saves the store, and records `more` events. The audit log has consumed all of them. */
async function recordBeyondSaved(saved: number, more: number): Promise<void> {
  relay.start()
  consumers.start()
  await record(saved)
  await expectEachOnce()
  await store.save()
  await record(more)
  await expectEachOnce()
  const durable = durableName(LOG, AUDIT_STREAM)
  const { ack_floor } = await (await jetstreamManager(nats)).consumers.info(AUDIT_STREAM, durable)
  await store.waitForPosition(AUDIT_STREAM, durable, ack_floor.stream_seq)
}

describe('when NATS has lost audit events', () => {
  it('that the audit log has not consumed, they are published again and each is recorded once', async () => {
    relay.start()
    await record(5)
    await allPublished()
    await store.save()
    await record(5)
    await allPublished()
    await store.loseSinceSaved('all', [AUDIT_STREAM])
    await until('the lost events are stored again', async () => (await storedCount()) >= 10, longWait)
    consumers.start()
    await expectEachOnce()
  })

  it('that the audit log has consumed, they are published again and stay recorded once', async () => {
    relay.start()
    consumers.start()
    await record(10)
    await expectEachOnce()
    await store.wipe()
    await provision()
    await record(3)
    await expectEachOnce()
  })

  it('an audit log whose position is past the end of the stream misses nothing once its consumer is provisioned again', async () => {
    await recordBeyondSaved(5, 20)
    await relay.stop()
    // No event can be published again: the new events get sequence numbers below the consumer's position.
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await provision()
    await record(3)
    relay = relayFor(database.url, database.db, nats, 100)
    relay.start()
    await expectEachOnce()
  })

  it('an audit log whose position is past the end of the stream misses nothing without a migration step, which empties the stream later', async () => {
    useRelayThatFillsSoon()
    await recordBeyondSaved(5, 20)
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await record(3)
    await expectEachOnce()
    expect(await storedCount(), 'events below the position of the audit log').toBeGreaterThan(0)
    await provision()
    await until('the stream is empty', async () => (await storedCount()) === 0, longWait)
    await expectEachOnce()
  })

  it('the relay does not fill the stream if the consumer is replaced at once', async () => {
    await recordBeyondSaved(2, 20)
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await provision()
    await record(1)
    await expectEachOnce()
    const { state } = await (await jetstreamManager(nats)).streams.info(AUDIT_STREAM)
    expect(state.last_seq).toBeLessThan(10)
  })

  it('a consumer whose file a power cut emptied exists after it is provisioned again and NATS is restarted', async () => {
    const manager = await jetstreamManager(nats)
    const consumerState = () =>
      manager.consumers.info(AUDIT_STREAM, durableName(LOG, AUDIT_STREAM)).then(
        () => 'exists',
        (error: Error) => error.message,
      )
    await store.emptyConsumerFiles(AUDIT_STREAM)
    await until(
      'the consumer is missing',
      async () => (await consumerState()) === 'consumer not found',
      longWait,
    )
    await provision()
    await store.restart()
    await until('NATS answers again', async () => (await consumerState()) !== 'TIMEOUT', longWait)
    expect(await consumerState()).toBe('exists')
  })

  it('an audit log whose position is past the end of the stream misses nothing if there is no published event to fill it with', async () => {
    useRelayThatFillsSoon()
    await recordBeyondSaved(2, 8)
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', [AUDIT_STREAM])
    await record(1)
    await expectEachOnce()
  })
})
