import { randomUUID } from 'node:crypto'
import type { Envelope } from '@looptide/contracts/events'
import { connectNats } from '@looptide/service-kit/events/nats'
import { jetstream, jetstreamManager, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import { provisionStreams } from '@looptide/service-kit/events/streams'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { NatsStore } from '@looptide/testkit/nats-store'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OutcomeStream } from '../src/queue/outcome-stream.ts'

const logger = createLogger('test', 'silent')
const DURABLE = 'catalogue--metadata'
const longTimeout = { timeoutMs: 30_000 }

let store: NatsStore
let nats: NatsConnection
const checks: OutcomeStream[] = []

beforeEach(async () => {
  store = await NatsStore.start()
  nats = await connectNats(store.url, 'test', logger)
  store.follow(nats)
  await provisionStreams(await jetstreamManager(nats))
})
afterEach(async () => {
  await Promise.all(checks.splice(0).map((check) => check.stop()))
  await nats.close()
  await store.stop()
})

/** Starts the checks of `count` replicas. */
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

/** Acknowledges all messages that the catalogue's consumer receives; returns their event ids. */
async function consumeAll(): Promise<string[]> {
  const consumer = await jetstream(nats).consumers.get('METADATA', DURABLE)
  const eventIds: string[] = []
  for (;;) {
    const message = await consumer.next({ expires: 1000 })
    if (message === null) {
      // On a busy machine a message may need longer than the request lasts.
      if ((await consumer.info()).num_pending === 0) return eventIds
      continue
    }
    eventIds.push(message.json<Envelope>().id)
    await message.ackAck()
  }
}

const requests = () => eventsOf(nats, 'metadata.queue.emptied.v1')
const lastSeq = async () => (await (await jetstreamManager(nats)).streams.info('METADATA')).state.last_seq

/** Delivers 40 outcomes to the consumer; then the stream loses 30 of them. */
async function loseTail(): Promise<void> {
  await publishOutcomes(10)
  await consumeAll()
  await store.save()
  await until('NATS is reconnected', () => lastSeq().then(() => true), longTimeout)
  await publishOutcomes(30)
  expect(await consumeAll()).toHaveLength(30)
  await store.loseSinceSaved('messages', ['METADATA'])
  await until('the stream is shorter', async () => (await lastSeq()) === 10, longTimeout)
}

it.each([1, 3])(
  'a consumer ahead of its stream receives new outcomes again, with %i replicas',
  async (replicas) => {
    await loseTail()
    startChecks(replicas)
    await until('the stream is filled', async () => (await lastSeq()) > 40, longTimeout)
    await until(
      'each replica has requested missing metadata',
      async () => new Set((await requests()).map(({ id }) => id)).size >= replicas + 1,
      longTimeout,
    )
    expect(await lastSeq()).toBeLessThanOrEqual(41 + 31 * (replicas - 1) + replicas)
    const newest = (await requests()).at(-1)?.id
    await publishOutcomes(1)
    const eventIds = await consumeAll()
    expect(eventIds.slice(0, -1)).toContain(newest)
    expect(eventIds).not.toHaveLength(0)
  },
)

it('each new connection makes the catalogue request missing metadata once', async () => {
  startChecks(1)
  await until('requested at the start', async () => (await requests()).length === 1, longTimeout)
  await store.restart()
  await until('requested again', async () => (await requests().catch(() => [])).length === 2, longTimeout)
  expect(await lastSeq()).toBe(2)
})

it('no event is published while no consumer is ahead of the stream', async () => {
  startChecks(1, 20)
  await until('requested at the start', async () => (await requests()).length === 1, longTimeout)
  await consumeAll()
  expect(await lastSeq()).toBe(1)
})
