import { NatsStore } from '@looptide/testkit/nats-store'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import type { Transaction } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventConsumers } from '../src/events/consumer.ts'
import { connectNats } from '../src/events/nats.ts'
import type { NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import type { EventHandlers } from '../src/events/stream-consumer.ts'
import { isNightly } from './config.ts'
import { consumersFor, logger, type NotesDb, notesDatabase, provisionFor, relayFor } from './fixtures.ts'

const longWait = { timeoutMs: 60_000 }
const RUNS = isNightly ? 20 : 3
vi.setConfig({ testTimeout: 180_000 + RUNS * 60_000 })

let store: NatsStore
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
const relays: ReturnType<typeof relayFor>[] = []
let consumers: EventConsumers<Transaction<NotesDb>>
let appendedCount = 0
/** The handler waits for this promise. */
let handlerReleased: Promise<void> = Promise.resolve()
let isHandlerWaiting = false

const handlers: EventHandlers<Transaction<NotesDb>> = {
  'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
    isHandlerWaiting = true
    await handlerReleased
    isHandlerWaiting = false
    await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
  },
}

async function open(): Promise<void> {
  store = await NatsStore.start()
  nats = await connectNats(store.url, 'test', logger)
  store.follow(nats)
  await provisionFor(nats, ['stream.channel.deleted.v1'])
  database = await notesDatabase()
  consumers = consumersFor(database.db, nats, handlers)
  consumers.start()
  appendedCount = 0
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
    longWait,
  )

function startRelay(): void {
  const relay = relayFor(database.url, database.db, nats, 100)
  relays.push(relay)
  relay.start()
}

/** Appends `count` events to the outbox, of three notes in turn. */
async function appendEvents(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const note = `note-${appendedCount % 3}`
    appendedCount += 1
    await database.db
      .transaction()
      .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', note, { channelId: note }))
  }
}

const steps = () => database.db.selectFrom('steps').select(['note', 'version']).orderBy('seq').execute()
const allApplied = () =>
  until(`${appendedCount} events are applied`, async () => (await steps()).length >= appendedCount, longWait)
const allPublished = () =>
  until(
    'the outbox is empty',
    async () => (await database.db.selectFrom('outbox').select('seq').execute()).length === 0,
    longWait,
  )

/** Expects that every event was applied once, the events of each note in order, and is in the stream. */
async function expectAllOnceInOrder(): Promise<void> {
  await allPublished()
  await allApplied()
  await consumers.processAll()
  const applied = await steps()
  expect(applied).toHaveLength(appendedCount)
  expect(new Set(applied.map(({ version }) => version)).size).toBe(appendedCount)
  for (const note of new Set(applied.map((step) => step.note))) {
    const versions = applied.filter((step) => step.note === note).map(({ version }) => version)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
  await until('the stream holds all published events', async () => {
    const held = new Set((await contentsOf(nats, 'STREAM')).map(({ id }) => id))
    const kept = await database.db.selectFrom('publishedEvents').select('id').execute()
    return kept.every(({ id }) => held.has(id))
  })
}

describe('when NATS has lost the newest messages', () => {
  it('they are published again in order, and the stream holds all of them', async () => {
    await consumers.stop()
    startRelay()
    await appendEvents(10)
    await allPublished()
    await store.save()
    await appendEvents(10)
    await allPublished()
    await store.loseSinceSaved('all', ['STREAM'])
    await until(
      'the stream holds all events again',
      async () => (await contentsOf(nats, 'STREAM')).length === 20,
      longWait,
    )
    const events = await contentsOf(nats, 'STREAM')
    expect(events.map(({ aggregateVersion }) => aggregateVersion)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  it('a consumer whose position is past the end of the stream misses nothing', async () => {
    startRelay()
    await appendEvents(10)
    await allApplied()
    await store.save()
    await appendEvents(10)
    await allApplied()
    await store.loseSinceSaved('messages', ['STREAM'])
    await appendEvents(10)
    await expectAllOnceInOrder()
  })

  it('a consumer whose position is past the end of the stream misses no event that is appended while no relay runs', async () => {
    startRelay()
    await appendEvents(5)
    await allApplied()
    await store.save()
    await appendEvents(20)
    await allApplied()
    await Promise.all(relays.splice(0).map((relay) => relay.stop()))
    await database.db.deleteFrom('publishedEvents').execute()
    await store.loseSinceSaved('messages', ['STREAM'])
    await appendEvents(3)
    startRelay()
    await expectAllOnceInOrder()
  })

  it.each(['before NATS starts again', 'after the events were published again'])(
    'an event in progress, whose message is lost and which is applied %s, does not block others',
    async (end) => {
      startRelay()
      await appendEvents(5)
      await allApplied()
      await store.save()
      const { promise, resolve } = Promise.withResolvers<void>()
      handlerReleased = promise
      await appendEvents(10)
      await allPublished()
      await until('an event is in progress', () => isHandlerWaiting)
      const lost = store.loseSinceSaved('messages', ['STREAM'])
      if (end === 'before NATS starts again') resolve()
      await lost
      await until(
        'the stream holds all events again',
        async () => (await contentsOf(nats, 'STREAM')).length >= 15,
        longWait,
      )
      resolve()
      await appendEvents(5)
      await expectAllOnceInOrder()
    },
  )

  it('a wiped store receives the events of the last minutes again, and each is applied once', async () => {
    startRelay()
    await appendEvents(10)
    await allApplied()
    await store.wipe()
    await recreateStreams()
    await appendEvents(5)
    await expectAllOnceInOrder()
    expect(await contentsOf(nats, 'STREAM')).toHaveLength(15)
  })
})

it('keeps published events for the retention time, and the newest without limit', async () => {
  const { db, url } = database
  const relay = relayFor(url, db, nats, 100, { retentionMs: 0 })
  relays.push(relay)
  await db.transaction().execute(async (trx) => {
    for (let seq = 1; seq <= 2500; seq += 1)
      await appendEvent(trx, 'stream.channel.deleted.v1', 'note', { channelId: 'note' })
  })
  await relay.processAll()
  expect((await db.selectFrom('publishedEvents').select('seq').execute()).length).toBeGreaterThan(2000)
  await relay.processAll()
  const kept = await db.selectFrom('publishedEvents').select('seq').limit(3).execute()
  expect(kept).toEqual([{ seq: 2500 }])
})

const STEPS = [
  'append',
  'wait',
  'save',
  'lose messages',
  'lose all',
  'wipe',
  'restart',
  'start a relay',
  'stop a relay',
] as const

/** The first steps of each run: they leave a consumer with a position past the end of its stream. */
const FIRST_STEPS: readonly (typeof STEPS)[number][] = [
  'append',
  'wait',
  'save',
  'append',
  'wait',
  'lose messages',
  'append',
]

it('every event is applied once and in order after any sequence of losses, restarts and takeovers', async () => {
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
            for (const step of [...FIRST_STEPS, ...script]) await runStep(step)
            if (relays.length === 0) startRelay()
            await appendEvents(1)
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

async function runStep(step: (typeof STEPS)[number]): Promise<void> {
  if (step === 'append') await appendEvents(7)
  if (step === 'wait' && relays.length > 0) await Promise.all([allPublished(), allApplied()])
  if (step === 'save') await store.save()
  if (step === 'lose messages') await store.loseSinceSaved('messages', ['STREAM'])
  if (step === 'lose all') await store.loseSinceSaved('all', ['STREAM'])
  if (step === 'wipe') {
    await store.wipe()
    await recreateStreams()
    await store.save()
  }
  if (step === 'restart') await store.restart()
  if (step === 'start a relay' && relays.length < 3) startRelay()
  if (step === 'stop a relay') await relays.shift()?.stop()
}
