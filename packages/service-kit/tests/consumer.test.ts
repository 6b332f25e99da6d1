import type { Envelope, EventType } from '@looptide/contracts/events'
import type { Backing } from '@looptide/testkit/backing'
import { signEvent, storeEvent, storeText, testKeys } from '@looptide/testkit/event-keys'
import { startNats } from '@looptide/testkit/nats'
import { until } from '@looptide/testkit/until'
import { sql, type Transaction } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../src/db/ids.ts'
import type { EventConsumers } from '../src/events/consumer.ts'
import { PgInbox } from '../src/events/inbox.ts'
import { connectNats } from '../src/events/nats.ts'
import { jetstream, jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import type { EventHandlers } from '../src/events/stream-consumer.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import {
  channelDeleted,
  consumersFor,
  exited,
  logger,
  type NotesDb,
  notesDatabase,
  provisionFor,
  run,
} from './fixtures.ts'

let backing: Backing
let nats: NatsConnection
let database: Awaited<ReturnType<typeof notesDatabase>>
let running: EventConsumers<Transaction<NotesDb>>[] = []

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
  await manager.streams.delete('STREAM').catch(() => undefined)
  await provisionFor(nats, CONSUMED)
})
afterEach(async () => {
  await Promise.all(running.map((consumers) => consumers.stop()))
  running = []
  await database.drop()
})

const recordingHandlers: EventHandlers<Transaction<NotesDb>> = {
  'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
    await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
  },
}

const CONSUMED: readonly EventType[] = ['stream.channel.deleted.v1']
const BULK: readonly EventType[] = ['metadata.video.resolved.v1', 'metadata.videos.resolved.v1']
const CONSUMED_LATER: readonly EventType[] = [...CONSUMED, 'stream.channel.updated.v1']

function start(handlers = recordingHandlers) {
  const consumers = consumersFor(database.db, nats, handlers)
  running.push(consumers)
  consumers.start()
  return consumers
}

const publish = async (envelope: Envelope): Promise<void> => {
  await storeEvent(nats, envelope)
}
const videosResolved = (titles: string[]): Envelope<'metadata.videos.resolved.v1'> => ({
  ...channelDeleted('batch'),
  type: 'metadata.videos.resolved.v1',
  data: {
    videos: titles.map((title) => ({
      eventId: newId(),
      video: {
        ...{ youtubeId: title, title, description: null, thumbnailUrl: null, artistName: null },
        ...{ durationMs: null, embeddable: true, regionBlocked: [] },
      },
    })),
  },
})
const steps = async (): Promise<string[]> =>
  (await database.db.selectFrom('steps').select('note').orderBy('seq').execute()).map((row) => row.note)
const deadLetters = () => database.db.selectFrom('deadLetters').selectAll().orderBy('id').execute()

type DeadLetter = Awaited<ReturnType<typeof deadLetters>>[number]

const replay = (consumers: EventConsumers<Transaction<NotesDb>>, letter: DeadLetter): Promise<void> =>
  consumers.replay(letter.envelope as unknown as Envelope, (effect) =>
    new PgInbox(database.db).applyDeadLetter(letter.id, effect),
  )

/** Lets a consumer fail to apply an event, then repairs it; returns the consumer and the dead letter. */
async function deadLettered(channelId: string) {
  let isBroken = true
  const consumers = start({
    'stream.channel.deleted.v1': async (trx, envelope) => {
      if (isBroken) throw new Error('cannot')
      await recordingHandlers['stream.channel.deleted.v1']!(trx, envelope)
    },
  })
  await publish(channelDeleted(channelId))
  const [letter] = await until('the event is a dead letter', async () => {
    const letters = await deadLetters()
    return letters.length > 0 && letters
  })
  await consumers.processAll()
  isBroken = false
  return { consumers, letter: letter! }
}

/** Ages the entries of the inbox by nine days and prunes them all. */
async function expireInbox(): Promise<void> {
  await sql`update inbox set received_at = received_at - interval '9 days'`.execute(database.db)
  await new PgInbox(database.db).prune()
  expect(await database.db.selectFrom('inbox').selectAll().execute()).toEqual([])
}

it('a consumer that is stopped while it applies an event completes it, then stops', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const consumers = start({
    'stream.channel.deleted.v1': async (trx, envelope) => {
      started.resolve()
      await finish.promise
      await recordingHandlers['stream.channel.deleted.v1']!(trx, envelope)
    },
  })
  for (const name of ['first', 'second']) await publish(channelDeleted(name))
  await started.promise
  const stopped = consumers.stop()
  finish.resolve()
  await stopped
  expect(await steps()).toContain('first')
})

it('pruning the inbox deletes thousands of old entries and keeps a recent one', async () => {
  await sql`insert into inbox (consumer, event_id, received_at)
    select 'old', gen_random_uuid(), now() - interval '9 days' from generate_series(1, 12001)`.execute(
    database.db,
  )
  await sql`insert into inbox (consumer, event_id) values ('recent', gen_random_uuid())`.execute(database.db)
  await new PgInbox(database.db).prune()
  const remaining = await database.db.selectFrom('inbox').select('consumer').execute()
  expect(remaining).toEqual([{ consumer: 'recent' }])
})

describe('a consumer', () => {
  it('applies an event once when it is delivered twice', async () => {
    const event = channelDeleted('a')
    const consumers = start()
    await publish(event)
    await publish(event)
    await publish(channelDeleted('b'))
    await consumers.processAll()
    expect(await steps()).toEqual(['a', 'b'])
  })

  it('applies events in order across two replicas', async () => {
    const [one, two] = [start(), start()]
    const names = Array.from({ length: 150 }, (_, i) => `n${i}`)
    for (const name of names) await publish(channelDeleted(name))
    await one.processAll()
    await two.processAll()
    expect(await steps()).toEqual(names)
  })

  it('skips events without a handler, also those of a later version', async () => {
    await provisionFor(nats, CONSUMED_LATER)
    const manager = await jetstreamManager(nats)
    const { config } = await manager.streams.info('STREAM')
    await manager.streams.update('STREAM', { subjects: [...config.subjects, 'stream.channel.renamed.v7'] })
    const consumers = start({ ...recordingHandlers, 'stream.channel.updated.v1': async () => undefined })
    await jetstream(nats).publish(
      'stream.channel.renamed.v7',
      JSON.stringify({ ...channelDeleted('x'), type: 'stream.channel.renamed.v7' }),
    )
    await publish(channelDeleted('a'))
    await consumers.processAll()
    expect(await steps()).toEqual(['a'])
    expect(await deadLetters()).toEqual([])
  })

  it('continues at its position when a new version consumes more event types', async () => {
    await start().processAll()
    await publish(channelDeleted('a'))
    await running[0]!.processAll()
    await running[0]!.stop()
    await publish(channelDeleted('b'))
    await provisionFor(nats, CONSUMED_LATER)
    const extended = start({ ...recordingHandlers, 'stream.channel.updated.v1': async () => undefined })
    await extended.processAll()
    expect(await steps()).toEqual(['a', 'b'])
  })

  it('does not apply twice when it is killed between the commit and the acknowledgement', {
    timeout: 120_000,
  }, async () => {
    await publish(channelDeleted('a'))
    await publish(channelDeleted('b'))
    const child = run('consumer-process.ts', {
      TEST_DATABASE_URL: database.url,
      TEST_NATS_URL: backing.url,
    })
    await exited(child)
    expect(child.signalCode).toBe('SIGKILL')
    expect(await steps()).toEqual(['a'])
    const consumers = start()
    await until('both are applied', async () => (await steps()).length === 2, { timeoutMs: 60_000 })
    await consumers.processAll()
    expect(await steps()).toEqual(['a', 'b'])
  })
})

describe('a bulk event with a part that cannot be applied', () => {
  it('has its other parts applied once, and the one dead-lettered, which can be replayed', async () => {
    let isBroken = true
    const record = async (trx: Transaction<NotesDb>, titles: string[]): Promise<void> => {
      for (const note of titles) await trx.insertInto('steps').values({ note, version: 1 }).execute()
      if (titles.includes('poison') && isBroken) throw new Error('cannot')
    }
    await provisionFor(nats, BULK)
    const consumers = start({
      'metadata.video.resolved.v1': (trx, { data }) => record(trx, [data.title]),
      'metadata.videos.resolved.v1': (trx, { data }) =>
        record(
          trx,
          data.videos.map(({ video }) => video.title),
        ),
    })
    await publish(videosResolved(['a', 'poison', 'b']))
    await publish(videosResolved(['c', 'd']))
    await consumers.processAll()
    expect(await steps()).toEqual(['a', 'b', 'c', 'd'])
    const [letter, ...others] = await deadLetters()
    expect(others).toEqual([])
    expect(letter).toMatchObject({ subject: 'metadata.video.resolved.v1', error: 'cannot' })
    isBroken = false
    await replay(consumers, letter!)
    expect(await steps()).toEqual(['a', 'b', 'c', 'd', 'poison'])
  })
})

describe('an event that cannot be applied', () => {
  it('is tried five times and dead-lettered, does not block the others, and can be replayed', async () => {
    let tries = 0
    let isBroken = true
    const consumers = start({
      'stream.channel.deleted.v1': async (trx, envelope) => {
        await recordingHandlers['stream.channel.deleted.v1']!(trx, envelope)
        if (envelope.data.channelId === 'poison' && isBroken) {
          tries += 1
          throw new Error('cannot')
        }
      },
    })
    const poison = channelDeleted('poison')
    await publish(channelDeleted('a'))
    await publish(poison)
    await publish(channelDeleted('b'))
    await consumers.processAll()
    expect(tries).toBe(5)
    expect(await steps()).toEqual(['a', 'b'])
    const [letter, ...others] = await deadLetters()
    expect(others).toEqual([])
    expect(letter).toMatchObject({
      consumer: 'notes--stream',
      subject: 'stream.channel.deleted.v1',
      eventId: poison.id,
      envelope: poison,
      error: 'cannot',
      replayedAt: null,
    })

    await expect(replay(consumers, letter!)).rejects.toThrow('cannot')
    isBroken = false
    await replay(consumers, letter!)
    await replay(consumers, letter!)
    expect(await steps()).toEqual(['a', 'b', 'poison'])
  })

  it('is applied once by several replays, at the same time or after the inbox was pruned', async () => {
    const { consumers, letter } = await deadLettered('poison')
    await Promise.all([replay(consumers, letter), replay(consumers, letter), replay(consumers, letter)])
    expect(await steps()).toEqual(['poison'])
    await expireInbox()
    await replay(consumers, letter)
    expect(await steps()).toEqual(['poison'])
  })

  it('is not applied when it is redelivered after it was dead-lettered', async () => {
    const { consumers, letter } = await deadLettered('poison')
    await publish(letter.envelope as unknown as Envelope)
    await consumers.processAll()
    expect(await steps()).toEqual([])
    expect(await deadLetters()).toHaveLength(1)
  })

  it.each([
    ['is not JSON', '{"id":'],
    ['is not an envelope', '{"id":"x"}'],
    ['has data that does not match its type', JSON.stringify({ ...channelDeleted('a'), data: {} })],
    ['contains characters that Postgres cannot store', `"\\u0000 \\ud800"`],
    ['is empty', ''],
  ])('is dead-lettered immediately when it %s', async (_reason, payload) => {
    const consumers = start()
    await storeText(nats, 'stream.channel.deleted.v1', payload)
    await publish(channelDeleted('b'))
    await consumers.processAll()
    expect(await steps()).toEqual(['b'])
    expect(await deadLetters()).toHaveLength(1)
  })

  it('is skipped when its type is not consumed', async () => {
    await provisionFor(nats, CONSUMED_LATER)
    const consumers = start({ ...recordingHandlers, 'stream.channel.updated.v1': async () => undefined })
    await storeText(nats, 'stream.channel.created.v1', 'no event')
    await publish(channelDeleted('b'))
    await consumers.processAll()
    expect(await steps()).toEqual(['b'])
    expect(await deadLetters()).toEqual([])
  })

  it('is dead-lettered even if its text contains characters that Postgres refuses', async () => {
    const id = newId()
    const consumers = start()
    await publish({ ...channelDeleted('nul\0half\ud800'), id })
    await publish(channelDeleted('b'))
    await consumers.processAll()
    expect(await steps()).toEqual(['b'])
    expect((await deadLetters()).map((letter) => letter.eventId)).toEqual([id])
  })
})

describe('a message that its owner did not sign', () => {
  const unsigned = (id: string): Promise<unknown> =>
    jetstream(nats).publish('stream.channel.deleted.v1', JSON.stringify(channelDeleted(id)))

  it('is not applied, is dead-lettered with the reason, and can be replayed by an admin who trusts it', async () => {
    const consumers = start()
    await unsigned('forged')
    const wrongKey = signEvent(channelDeleted('wrong-key'), testKeys('chat'))
    await jetstream(nats).publish(wrongKey.subject, wrongKey.payload, { headers: wrongKey.headers })
    await publish(channelDeleted('b'))
    await consumers.processAll()
    expect(await steps()).toEqual(['b'])
    const letters = await deadLetters()
    expect(letters.map(({ error }) => error.slice(0, 22))).toEqual([
      'rejected (unsigned): n',
      'rejected (unknown_key)',
    ])
    await consumers.replay(letters[0]!.envelope as unknown as Envelope)
    expect(await steps()).toEqual(['b', 'forged'])
  })

  it('is dead-lettered at most a hundred times, and counted every time', async () => {
    const metrics = createMetrics('test')
    const consumers = consumersFor(database.db, nats, recordingHandlers, undefined, 'notes', metrics)
    running.push(consumers)
    await Promise.all(Array.from({ length: 150 }, (_, index) => unsigned(`forged-${index}`)))
    await publish(channelDeleted('b'))
    consumers.start()
    await until('the signed event is applied', async () => (await steps()).includes('b'), {
      timeoutMs: 30_000,
    })
    expect(await deadLetters()).toHaveLength(100)
    const { values } = await metrics.eventsRejected.get()
    expect(values.filter(({ value }) => value > 0)).toMatchObject([
      { value: 150, labels: { consumer: 'notes--stream', reason: 'unsigned' } },
    ])
  })
})
