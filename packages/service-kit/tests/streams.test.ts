import type { EventType } from '@looptide/contracts/events'
import { startNats } from '@looptide/testkit/nats'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import {
  AckPolicy,
  DeliverPolicy,
  headers,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type NatsConnection,
  storedMessage,
} from '../src/events/nats-client.ts'
import { provisionStreams, STREAM_MAX_BYTES } from '../src/events/streams.ts'
import { logger } from './fixtures.ts'

let server: Awaited<ReturnType<typeof startNats>>
let nats: NatsConnection
let manager: JetStreamManager

beforeAll(async () => {
  server = await startNats(undefined, { streams: false })
  nats = await connectNats(server.url, 'test', logger)
  manager = await jetstreamManager(nats)
})
afterAll(async () => {
  await nats.close()
  await server.stop()
})
beforeEach(async () => {
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name)
})

/** A stream as earlier versions created it: with the audit events of its owner. */
const oldStream = (owner: string) =>
  manager.streams.add({ name: owner.toUpperCase(), subjects: [`${owner}.>`], max_bytes: 1_000_000 })
const oldConsumer = (stream: string, durable: string, filter: string) =>
  manager.consumers.add(stream, {
    ...{ durable_name: durable, filter_subject: filter, max_ack_pending: 1 },
    ...{ ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All },
  })
const store = async (subject: string, id: string): Promise<void> => {
  await jetstream(nats).publish(subject, JSON.stringify({ id }), { msgID: id })
}
const consumeNext = async (stream: string, durable: string): Promise<string | undefined> => {
  const consumer = await jetstream(nats).consumers.get(stream, durable)
  const message = await consumer.next({ expires: 30_000 })
  if (message === null) return undefined
  await message.ackAck()
  return message.json<{ id: string }>().id
}
const consumers = async (stream: string): Promise<string[]> => {
  const found: string[] = []
  for await (const { name } of manager.consumers.list(stream)) found.push(name)
  return found.sort()
}

describe('provisioning', () => {
  it('creates every stream and consumer once when it runs repeatedly and concurrently', async () => {
    await Promise.all([provisionStreams(manager), provisionStreams(manager)])
    const before = await manager.consumers.info('AUTH', 'chat--auth')
    await provisionStreams(manager)
    expect((await manager.streams.names().next()).sort()).toEqual([
      'ADMIN',
      'AUDIENCE',
      'AUDIT',
      'AUTH',
      'CATALOGUE',
      'CHAT',
      'METADATA',
      'STREAM',
    ])
    expect((await manager.consumers.info('AUTH', 'chat--auth')).created).toBe(before.created)
    expect(await consumers('AUDIT')).toEqual(['admin-audit--audit'])
  })

  it('lets a consumer of one event type continue at its position under its new name', async () => {
    await oldStream('catalogue')
    const type: EventType = 'catalogue.metadata.requested.v1'
    await oldConsumer('CATALOGUE', 'notes--catalogue-metadata-requested-v1', type)
    for (const id of ['a', 'b']) await store(type, id)
    expect(await consumeNext('CATALOGUE', 'notes--catalogue-metadata-requested-v1')).toBe('a')
    await provisionStreams(manager, { subscriptions: { notes: { consumes: [type] } } })
    expect(await consumers('CATALOGUE')).toEqual(['notes--catalogue'])
    expect(await consumeNext('CATALOGUE', 'notes--catalogue')).toBe('b')
  })

  it('restarts a consumer at the beginning when event types are added, and keeps its position when they are removed', async () => {
    const one: EventType = 'stream.channel.deleted.v1'
    const other: EventType = 'stream.channel.updated.v1'
    const provision = (...consumes: EventType[]) =>
      provisionStreams(manager, { subscriptions: { notes: { consumes } } })
    await provision(one)
    await store(other, 'a')
    await store(one, 'b')
    await store(one, 'c')
    expect(await consumeNext('STREAM', 'notes--stream')).toBe('b')
    await provision(one, other)
    expect(await consumeNext('STREAM', 'notes--stream')).toBe('a')
    expect(await consumeNext('STREAM', 'notes--stream')).toBe('b')
    await provision(one)
    expect(await consumeNext('STREAM', 'notes--stream')).toBe('c')
  })

  it('moves the audit events that the audit log has not consumed to the audit stream', async () => {
    const audit = 'chat.audit.recorded.v1'
    await oldStream('chat')
    await oldConsumer('CHAT', 'admin-audit--chat-audit-recorded-v1', audit)
    await store(audit, 'consumed')
    await store('chat.message.posted.v1', 'message')
    const messageHeaders = headers()
    messageHeaders.set('Looptide-Signature', 'kept')
    await jetstream(nats).publish(audit, '{"id":"waiting"}', {
      ...{ msgID: 'waiting', headers: messageHeaders, expect: { lastMsgID: 'message' } },
    })
    expect(await consumeNext('CHAT', 'admin-audit--chat-audit-recorded-v1')).toBe('consumed')
    await provisionStreams(manager)
    expect(await consumers('CHAT')).toEqual(['auth--chat'])
    const [event, ...others] = await contentsOf(nats, 'AUDIT')
    expect(others).toEqual([])
    expect(event).toEqual({ id: 'waiting' })
    const moved = await storedMessage(manager, 'AUDIT', 1)
    expect(moved?.header?.get('Looptide-Signature')).toBe('kept')
    await provisionStreams(manager)
    expect(await contentsOf(nats, 'AUDIT')).toHaveLength(1)
  })
})

describe('a full stream', () => {
  const fill = async (stream: string, subject: string): Promise<number> => {
    const { config } = await manager.streams.info(stream)
    await manager.streams.update(stream, { ...config, max_bytes: 20_000 })
    let accepted = 0
    for (; accepted < 100; accepted += 1) {
      const stored = jetstream(nats).publish(subject, 'x'.repeat(1000))
      if ((await stored.catch(() => undefined)) === undefined) break
    }
    return accepted
  }

  it('of audit events refuses new ones and keeps all, until the audit log has consumed some', async () => {
    await provisionStreams(manager)
    expect((await manager.streams.info('AUDIT')).config.max_bytes).toBe(STREAM_MAX_BYTES)
    const accepted = await fill('AUDIT', 'chat.audit.recorded.v1')
    expect(accepted).toBeLessThan(20)
    expect((await manager.streams.info('AUDIT')).state.messages).toBe(accepted)
    const log = await jetstream(nats).consumers.get('AUDIT', 'admin-audit--audit')
    await (await log.next({ expires: 30_000 }))?.ackAck()
    await jetstream(nats).publish('chat.audit.recorded.v1', 'x'.repeat(1000))
  })

  it('of other events accepts new ones, and does not block the audit events of its owner', async () => {
    await provisionStreams(manager)
    expect(await fill('CHAT', 'chat.message.posted.v1')).toBe(100)
    await jetstream(nats).publish('chat.audit.recorded.v1', '{}')
    expect((await manager.streams.info('AUDIT')).state.messages).toBe(1)
  })
})
