import { randomUUID } from 'node:crypto'
import type { Envelope } from '@looptide/contracts/events'
import { createLogger } from '@looptide/service-kit/logger'
import { connectNats } from '@looptide/service-kit/nats'
import { jetstream, jetstreamManager, type NatsConnection } from '@looptide/service-kit/nats-client'
import { provisionStreams } from '@looptide/service-kit/streams'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { NatsStore } from '@looptide/testkit/nats-store'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OutcomeStream } from '../src/queue/outcome-stream.ts'

const logger = createLogger('test', 'silent')
const DURABLE = 'catalogue--metadata'
const patient = { timeoutMs: 30_000 }

let store: NatsStore
let nats: NatsConnection
const checks: OutcomeStream[] = []

beforeEach(async () => {
  store = await NatsStore.start()
  nats = await connectNats(store.url, 'test', logger)
  await provisionStreams(await jetstreamManager(nats))
})
afterEach(async () => {
  await Promise.all(checks.splice(0).map((check) => check.stop()))
  await nats.close()
  await store.stop()
})

/** Starts as many replicas' checks. */
function startChecks(count: number, everyMs?: number): void {
  for (let i = 0; i < count; i += 1) {
    const check = new OutcomeStream({ nats, keys: testKeys('metadata') }, logger, everyMs)
    checks.push(check)
    check.start()
  }
}

async function publishOutcomes(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const event: Envelope<'metadata.video.unavailable.v1'> = {
      ...{ id: randomUUID(), type: 'metadata.video.unavailable.v1', occurredAt: new Date().toISOString() },
      ...{ actorId: null, correlationId: null, aggregateId: 'x', aggregateVersion: 1 },
      data: { youtubeId: 'aaaaaaaaaaa', reason: 'gone' },
    }
    await storeEvent(nats, event)
  }
}

/** Takes all that the catalogue's consumer is given; answers the events' ids. */
async function takeAll(): Promise<string[]> {
  const consumer = await jetstream(nats).consumers.get('METADATA', DURABLE)
  const taken: string[] = []
  for (;;) {
    const message = await consumer.next({ expires: 1000 })
    if (message === null) return taken
    taken.push(message.json<Envelope>().id)
    await message.ackAck()
  }
}

const requests = () => eventsOf(nats, 'metadata.queue.emptied.v1')
const lastSeq = async () => (await (await jetstreamManager(nats)).streams.info('METADATA')).state.last_seq

/** The consumer is given 40 outcomes, of which the stream loses 30. */
async function loseTail(): Promise<void> {
  await publishOutcomes(10)
  await takeAll()
  await store.save()
  await until('connected again', () => lastSeq().then(() => true), patient)
  await publishOutcomes(30)
  expect(await takeAll()).toHaveLength(30)
  await store.loseSinceSaved('messages', ['METADATA'])
  await until('the stream is shorter', async () => (await lastSeq()) === 10, patient)
}

it.each([1, 3])(
  'a consumer ahead of its stream is given new outcomes again, with %i replicas',
  async (replicas) => {
    await loseTail()
    startChecks(replicas)
    await until('the stream is filled', async () => (await lastSeq()) > 40, patient)
    await until(
      'each replica has requested what is missing',
      async () => new Set((await requests()).map(({ id }) => id)).size >= replicas + 1,
      patient,
    )
    expect(await lastSeq()).toBeLessThanOrEqual(41 + 31 * (replicas - 1) + replicas)
    const newest = (await requests()).at(-1)?.id
    await publishOutcomes(1)
    const taken = await takeAll()
    expect(taken.slice(0, -1)).toContain(newest)
    expect(taken).not.toHaveLength(0)
  },
  120_000,
)

it('each new connection makes the catalogue request what is missing, once', async () => {
  startChecks(1)
  await until('requested at the start', async () => (await requests()).length === 1, patient)
  await store.restart()
  await until('requested again', async () => (await requests().catch(() => [])).length === 2, patient)
  expect(await lastSeq()).toBe(2)
}, 60_000)

it('no event is published while no consumer is ahead of the stream', async () => {
  startChecks(1, 20)
  await until('requested at the start', async () => (await requests()).length === 1, patient)
  await takeAll()
  expect(await lastSeq()).toBe(1)
}, 60_000)
