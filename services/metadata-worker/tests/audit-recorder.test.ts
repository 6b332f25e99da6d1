import { randomUUID } from 'node:crypto'
import { durableName } from '@looptide/contracts/event-subscriptions'
import { AUDIT_STREAM, type Envelope } from '@looptide/contracts/events'
import { connect, jetstream, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { provisionStreams } from '@looptide/service-kit/events/streams'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { NatsStore } from '@looptide/testkit/nats-store'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { metadataWorker } from '../src/app.ts'
import { KeptAuditEvents } from '../src/audit/kept-audit-events.ts'
import { RedisInbox } from '../src/inbox/redis-inbox.ts'
import { startWorkerHarness, type WorkerHarness } from './_harness.ts'

const longWait = { timeoutMs: 40_000 }

let store: NatsStore
let harness: WorkerHarness
let redis: Redis

beforeEach(async () => {
  store = await NatsStore.start()
  const nats = await connect({ servers: store.url })
  await provisionStreams(await jetstreamManager(nats))
  await nats.close()
  harness = await startWorkerHarness({ NATS_URL: store.url })
  store.follow(harness.nats)
  redis = new Redis(harness.redis.url)
})
afterEach(async () => {
  redis.disconnect()
  await harness.close()
  await store.stop()
})

const kept = (maxCount = 1000) => new KeptAuditEvents(redis, maxCount)

async function keptIds(): Promise<string[]> {
  const found: string[] = []
  for await (const page of kept().pages()) found.push(...page.map(({ id }) => id))
  return found
}

/** An admin drops a dead letter of the worker. Returns the status of the answer. */
async function dropDeadLetter(): Promise<number> {
  const inbox = new RedisInbox(redis)
  await inbox.deadLetter('test', 'catalogue.metadata.requested.v1', randomUUID(), {}, 'no effect')
  const [letter] = await inbox.deadLetters(1, undefined)
  const url = `${harness.worker.url}/api/dead-letters/metadata-worker/${letter?.id}`
  return (await fetch(url, { method: 'DELETE', headers: harness.admin.headers })).status
}

/** The ids of the events in the audit stream; none while NATS restarts. */
const storedIds = async (): Promise<string[]> =>
  (await contentsOf(harness.nats, AUDIT_STREAM).catch(() => [])).map(({ id }) => id)

/** Saves the store; then an admin acts, and NATS acknowledges the audit event. Returns its id. */
async function recordAfterSaved(): Promise<string> {
  await store.save()
  await until('NATS accepts events', async () => (await dropDeadLetter()) === 204, longWait)
  return until('the event is stored', async () => (await storedIds()).at(-1), longWait)
}

it('publishes an audit event again that a power cut of NATS has lost', async () => {
  const id = await recordAfterSaved()
  await store.loseSinceSaved('all', [AUDIT_STREAM])
  await until('the event is stored again', async () => (await storedIds()).includes(id), longWait)
})

it('publishes an audit event again that NATS has lost while the worker was stopped', async () => {
  const id = await recordAfterSaved()
  await harness.worker.close()
  await store.loseSinceSaved('all', [AUDIT_STREAM])
  harness.worker = await startProcess(metadataWorker(harness.config))
  await until('the event is stored again', async () => (await storedIds()).includes(id), longWait)
})

it('delivers lost audit events to an audit log whose position is past the end of the stream', async () => {
  const durable = durableName('admin-audit', AUDIT_STREAM)
  const delivered = new Set<string>()
  /** Acknowledges the next event, if one comes within a second. */
  const consumeNext = async () => {
    const consumer = await jetstream(harness.nats).consumers.get(AUDIT_STREAM, durable)
    const message = await consumer.next({ expires: 1000 })
    if (message === null) return
    delivered.add(message.json<Envelope>().id)
    await message.ackAck()
  }
  await recordAfterSaved()
  expect(await dropDeadLetter()).toBe(204)
  const recorded = await keptIds()
  const untilDelivered = (what: string) =>
    until(
      what,
      async () => {
        await consumeNext().catch(() => undefined)
        return recorded.every((id) => delivered.has(id))
      },
      longWait,
    )
  await untilDelivered('both events are delivered')
  const { ack_floor } = await (await jetstreamManager(harness.nats)).consumers.info(AUDIT_STREAM, durable)
  await store.waitForPosition(AUDIT_STREAM, durable, ack_floor.stream_seq)
  delivered.clear()
  await store.loseSinceSaved('messages', [AUDIT_STREAM])
  await untilDelivered('both events are delivered again')
})

it('keeps no audit event of an action that is refused because NATS is away', async () => {
  expect(await dropDeadLetter()).toBe(204)
  const before = await keptIds()
  expect(before).toHaveLength(1)
  await store.stop()
  expect(await dropDeadLetter()).toBe(503)
  expect(await keptIds()).toEqual(before)
})

it('keeps a limited number of audit events, the newest, until they are old', async () => {
  const events = Array.from({ length: 250 }, () => ({
    id: randomUUID(),
  })) as Envelope<'metadata.audit.recorded.v1'>[]
  for (const event of events) await kept(220).add(event)
  expect(await keptIds()).toEqual(events.slice(-220).map(({ id }) => id))
  await kept().removeOlderThan(60_000)
  expect(await keptIds()).toHaveLength(220)
  await until('all are old', async () => {
    await kept().removeOlderThan(1)
    return (await keptIds()).length === 0
  })
})
