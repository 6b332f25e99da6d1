import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import { AckPolicy, jetstream, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { encodePeerMessage } from '../src/peers/peer-message.ts'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

// A compromised service stores bytes of its own choice in its stream, and makes JetStream deliver them to a subject on
// which it may not publish itself.

const GATEWAY = 'forged-gateway'
let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness()
  const manager = await jetstreamManager(harness.nats)
  await manager.streams.add({ name: 'COMPROMISED', subjects: ['compromised.stored.>'] })
})
afterAll(() => harness.close())

async function rejectedCopies(): Promise<number> {
  const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
  return Number(/looptide_events_rejected_total\{[^}]*reason="stored_copy"[^}]*\} (\d+)/.exec(metrics)?.[1])
}

/**
 * Stores bytes and makes JetStream deliver them to the subscribers of a live subject: by a push consumer, or by a pull
 * whose answer goes there. A push consumer does not deliver to subscribers with a wildcard.
 */
async function deliver(how: 'push' | 'pull', subject: string, bytes: Uint8Array | string): Promise<void> {
  const manager = await jetstreamManager(harness.nats)
  const filter = `compromised.stored.${subject}`
  const before = await rejectedCopies()
  await jetstream(harness.nats).publish(filter, bytes)
  const consumer = { durable_name: `consumer-${before}`, filter_subject: filter }
  const delivery = how === 'push' ? { deliver_subject: subject, ack_policy: AckPolicy.None } : {}
  await manager.consumers.add('COMPROMISED', { ...consumer, ack_policy: AckPolicy.Explicit, ...delivery })
  const next = `$JS.API.CONSUMER.MSG.NEXT.COMPROMISED.${consumer.durable_name}`
  if (how === 'pull') harness.nats.publish(next, '{"batch":1,"no_wait":true}', { reply: subject })
  await until('the copy is rejected', async () => (await rejectedCopies()) > before)
}

it('a stored message that JetStream delivers to a live subject is rejected and counted', async () => {
  const admin = await harness.identity.createUser('admin')
  harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
  const client = await new RawClient(harness.realtimeUrl).open()
  await until(
    'the admin has joined',
    async () => (await client.join('realtime:admin', { access_token: admin.token })).status === 'ok',
  )
  const broadcast = encodePeerMessage(
    { from: GATEWAY, kind: 'broadcast', event: 'forged', isJson: true },
    '{"forged":true}',
  )
  const progress = { youtubeId: 'forged', state: 'queued', reason: null }
  await deliver('push', LIVE_SUBJECTS.topic('admin'), broadcast)
  await deliver('push', LIVE_SUBJECTS.metadataProgress, JSON.stringify(progress))
  await deliver(
    'pull',
    LIVE_SUBJECTS.viewers(GATEWAY),
    JSON.stringify({ gatewayId: GATEWAY, counts: { default: 1000 } }),
  )
  await deliver(
    'push',
    LIVE_SUBJECTS.gatewayHeartbeat,
    JSON.stringify({ gatewayId: GATEWAY, state: 'started' }),
  )
  await client.settled()
  expect(JSON.stringify(client.messages)).not.toContain('forged')
  const viewers = await (await fetch(`${harness.gateway.url}/api/viewers`)).json()
  expect(JSON.stringify(viewers)).not.toContain('1000')
  client.close()
})
