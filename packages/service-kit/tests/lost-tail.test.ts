import { NatsStore } from '@looptide/testkit/nats-store'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import type { Transaction } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventConsumers, EventHandlers } from '../src/events/consumer.ts'
import { connectNats } from '../src/events/nats.ts'
import type { NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { nightly } from './config.ts'
import { consumersFor, logger, type NotesDb, notesDatabase, provisionFor, relayFor } from './fixtures.ts'

const patient = { timeoutMs: 60_000 }
const RUNS = nightly ? 20 : 3
vi.setConfig({ testTimeout: 180_000 + RUNS * 60_000 })

let store: NatsStore
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
const relays: ReturnType<typeof relayFor>[] = []
let consumers: EventConsumers<Transaction<NotesDb>>
let told = 0
/** What the handler waits for. */
let isFree: Promise<void> = Promise.resolve()
let isWaiting = false

const handlers: EventHandlers<Transaction<NotesDb>> = {
  'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
    isWaiting = true
    await isFree
    isWaiting = false
    await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
  },
}

async function open(): Promise<void> {
  store = await NatsStore.start()
  nats = await connectNats(store.url, 'test', logger)
  await provisionFor(nats, ['stream.channel.deleted.v1'])
  database = await notesDatabase()
  consumers = consumersFor(database.db, nats, handlers)
  consumers.start()
  told = 0
}
async function close(): Promise<void> {
  await Promise.all([consumers.stop(), ...relays.splice(0).map((relay) => relay.stop())])
  await nats.close()
  await database.drop()
  await store.stop()
}
beforeEach(open)
afterEach(close)

const recreateStreams = () =>
  until(
    'the streams are created again',
    () => provisionFor(nats, ['stream.channel.deleted.v1']).then(() => true),
    patient,
  )

function startRelay(): void {
  const relay = relayFor(database.url, database.db, nats, 100)
  relays.push(relay)
  relay.start()
}

/** Publishes `count` changes of three notes. */
async function tell(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const note = `note-${told % 3}`
    told += 1
    await database.db
      .transaction()
      .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))
  }
}

const steps = () => database.db.selectFrom('steps').select(['note', 'version']).orderBy('seq').execute()
const allTaken = () => until(`${told} are applied`, async () => (await steps()).length >= told, patient)
const allPublished = () =>
  until(
    'the outbox is empty',
    async () => (await database.db.selectFrom('outbox').select('seq').execute()).length === 0,
    patient,
  )

/** Every event was applied once, each note's in their order, and is in the stream. */
async function expectAllOnceInOrder(): Promise<void> {
  await allPublished()
  await allTaken()
  await consumers.processAll()
  const applied = await steps()
  expect(applied).toHaveLength(told)
  expect(new Set(applied.map(({ version }) => version)).size).toBe(told)
  for (const note of new Set(applied.map((step) => step.note))) {
    const versions = applied.filter((step) => step.note === note).map(({ version }) => version)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
  await until('the stream holds them all', async () => {
    const held = new Set((await contentsOf(nats, 'STREAM')).map(({ id }) => id))
    const kept = await database.db.selectFrom('publishedEvents').select('id').execute()
    return kept.every(({ id }) => held.has(id))
  })
}

describe('when NATS has lost the newest messages', () => {
  it('they are published again in their order, and the stream holds them all', async () => {
    await consumers.stop()
    startRelay()
    await tell(10)
    await allPublished()
    await store.save()
    await tell(10)
    await allPublished()
    await store.loseSinceSaved('all', ['STREAM'])
    await until(
      'the stream holds all again',
      async () => (await contentsOf(nats, 'STREAM')).length === 20,
      patient,
    )
    const events = await contentsOf(nats, 'STREAM')
    expect(events.map(({ aggregateVersion }) => aggregateVersion)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  it('a consumer that was further than what is left misses nothing', async () => {
    startRelay()
    await tell(10)
    await allTaken()
    await store.save()
    await tell(10)
    await allTaken()
    await store.loseSinceSaved('messages', ['STREAM'])
    await tell(10)
    await expectAllOnceInOrder()
  })

  it('a consumer that was further misses nothing of what is told while no relay runs', async () => {
    startRelay()
    await tell(5)
    await allTaken()
    await store.save()
    await tell(20)
    await allTaken()
    await Promise.all(relays.splice(0).map((relay) => relay.stop()))
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', ['STREAM'])
    await tell(3)
    startRelay()
    await expectAllOnceInOrder()
  })

  it.each(['before NATS starts again', 'after the events were published again'])(
    'an event in progress, whose message is lost and which ends %s, holds up no other',
    async (end) => {
      startRelay()
      await tell(5)
      await allTaken()
      await store.save()
      const { promise, resolve } = Promise.withResolvers<void>()
      isFree = promise
      await tell(10)
      await allPublished()
      await until('an event is in progress', () => isWaiting)
      const lost = store.loseSinceSaved('messages', ['STREAM'])
      if (end === 'before NATS starts again') resolve()
      await lost
      await until(
        'the stream holds all again',
        async () => (await contentsOf(nats, 'STREAM')).length >= 15,
        patient,
      )
      resolve()
      await tell(5)
      await expectAllOnceInOrder()
    },
  )

  it('an emptied store gets the events of the last minutes again, which are applied once', async () => {
    startRelay()
    await tell(10)
    await allTaken()
    await store.wipe()
    await recreateStreams()
    await tell(5)
    await expectAllOnceInOrder()
    expect(await contentsOf(nats, 'STREAM')).toHaveLength(15)
  })
})

it('keeps published events for the retention and the newest for good', async () => {
  const { db, url } = database
  const relay = relayFor(url, db, nats, 100, { retentionMs: 0 })
  relays.push(relay)
  await tell(2500)
  await relay.processAll()
  expect((await db.selectFrom('publishedEvents').select('seq').execute()).length).toBeGreaterThan(2000)
  await relay.processAll()
  const kept = await db.selectFrom('publishedEvents').select('seq').limit(3).execute()
  expect(kept).toEqual([{ seq: 2500 }])
})

const STEPS = [
  'tell',
  'publish',
  'save',
  'lose messages',
  'lose all',
  'wipe',
  'restart',
  'relay',
  'stop a relay',
] as const

/** In each run a consumer is further than its stream. */
const ALWAYS: readonly (typeof STEPS)[number][] = [
  'tell',
  'publish',
  'save',
  'tell',
  'publish',
  'lose messages',
  'tell',
]

it('whatever is lost, restarted and taken over: every event is applied once and in order', async () => {
  await close()
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 8 }),
        async (script) => {
          await open()
          try {
            startRelay()
            await store.save()
            for (const step of [...ALWAYS, ...script]) await act(step)
            if (relays.length === 0) startRelay()
            await tell(1)
            await expectAllOnceInOrder()
          } finally {
            await close()
          }
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  } finally {
    await open()
  }
})

async function act(step: (typeof STEPS)[number]): Promise<void> {
  if (step === 'tell') await tell(7)
  if (step === 'publish' && relays.length > 0) await Promise.all([allPublished(), allTaken()])
  if (step === 'save') await store.save()
  if (step === 'lose messages') await store.loseSinceSaved('messages', ['STREAM'])
  if (step === 'lose all') await store.loseSinceSaved('all', ['STREAM'])
  if (step === 'wipe') {
    await store.wipe()
    await recreateStreams()
    await store.save()
  }
  if (step === 'restart') await store.restart()
  if (step === 'relay' && relays.length < 3) startRelay()
  if (step === 'stop a relay') await relays.shift()?.stop()
}
