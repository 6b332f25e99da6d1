import type { AddressInfo } from 'node:net'
import type { App } from '@looptide/service-kit/http/app'
import { buildServer } from '@looptide/service-kit/http/server'
import type { AccessList } from '@looptide/service-kit/identity/access-list'
import { JwksTokenVerifier } from '@looptide/service-kit/identity/tokens'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { createMetrics } from '@looptide/service-kit/telemetry/metrics'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ClientReader } from '../src/limits/client-reader.ts'
import { SocketAdmission } from '../src/limits/socket-admission.ts'
import { Hub } from '../src/realtime/hub.ts'
import { fanOutOptions, hubLimits } from '../src/realtime/hub-limits.ts'
import { createHubMetrics } from '../src/realtime/hub-metrics.ts'
import { IdentityChecker } from '../src/realtime/identity.ts'
import { noPeers } from '../src/realtime/topic/topic-peers.ts'
import { websocketRoute } from '../src/realtime/websocket-route.ts'
import { RawClient } from './_raw-client.ts'

/** The hub behind its real route, with a flush window that only the test ends. */
let hub: Hub
let app: App
let url: string
let nowMs: number
/** Advance of the clock with each reading, in ms. With 3, a time slice ends after its second subscriber. */
let tickMs: number
const clients: RawClient[] = []

const access: AccessList = {
  loaded: true,
  isRevoked: () => false,
  roleOf: () => 'user',
  staffNeedsFactor: false,
  onChange: () => () => undefined,
}

beforeEach(async () => {
  const logger = createLogger('test', 'silent')
  const metrics = createMetrics('test')
  nowMs = 1_000_000
  tickMs = 0
  hub = new Hub({
    onRefusedRole: () => undefined,
    identities: new IdentityChecker(new JwksTokenVerifier('http://127.0.0.1:1/', 'none'), access),
    channels: { exists: () => true, snapshot: () => null, timeline: () => null },
    isHealthy: () => true,
    addReaction: () => undefined,
    peers: noPeers,
    limits: hubLimits(1, 200),
    fanOut: {
      ...fanOutOptions(1),
      windowMs: 600_000,
      now: () => {
        nowMs += tickMs
        return nowMs
      },
    },
    metrics: createHubMetrics(metrics.registry),
    logger,
    now: () => nowMs,
  })
  app = buildServer({ name: 'test', logger, metrics })
  await websocketRoute(app, {
    hub,
    requireHttps: false,
    allowedOrigins: [],
    maxSockets: () => 100,
    clients: new ClientReader(0),
    admission: new SocketAdmission({ maxPerNetwork: 100, now: () => performance.now() }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/realtime/v1`
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await app.close()
})

const TOPIC = 'realtime:chat:default'

async function member(): Promise<RawClient> {
  const client = await new RawClient(url).open()
  clients.push(client)
  expect(await client.join(TOPIC)).toMatchObject({ status: 'ok' })
  return client
}

const publish = (n: number | string): void => hub.publish('chat:default', 'message', n)
const received = (client: RawClient): unknown[] =>
  client.messages.filter(([, , , event]) => event === 'broadcast').map(([, , , , { payload }]) => payload)

it('a message on an idle topic is delivered at once', async () => {
  const client = await member()
  publish(1)
  await until('the message is received', () => received(client).length === 1)
})

it('messages on a busy topic are batched and delivered in order', async () => {
  const client = await member()
  for (const n of [1, 2, 3, 4]) publish(n)
  await client.settled()
  expect(received(client)).toEqual([1])
  hub.stop()
  await client.whenClosed()
  expect(received(client)).toEqual([1, 2, 3, 4])
})

it('a topic is idle again after the window', async () => {
  const client = await member()
  publish(1)
  nowMs += 600_000
  publish(2)
  await until('both are received', () => received(client).length === 2)
})

it('a subscriber that joins while messages are buffered gets only later messages', async () => {
  const early = await member()
  for (const n of [1, 2]) publish(n)
  const late = await member()
  for (const n of [3, 4]) publish(n)
  const latest = await member()
  hub.stop()
  await Promise.all([early, late, latest].map((client) => client.whenClosed()))
  expect([early, late, latest].map(received)).toEqual([[1, 2, 3, 4], [3, 4], []])
})

it('a subscriber that leaves while messages are buffered gets none of them', async () => {
  const [stays, leaves] = [await member(), await member()]
  publish(1)
  publish(2)
  leaves.send(TOPIC, 'phx_leave')
  await leaves.find(([, , , event]) => event === 'phx_close')
  hub.stop()
  await stays.whenClosed()
  expect(received(stays)).toEqual([1, 2])
  expect(received(leaves)).toEqual([1])
})

it('a flush pass includes messages published during it; subscribers already served get them in the next pass', async () => {
  const [first, second, third, fourth] = [await member(), await member(), await member(), await member()]
  tickMs = 1
  publish(1)
  publish(2)
  await until('the last one is served', () => received(fourth).length > 0)
  const all = [first, second, third, fourth]
  await Promise.all(all.map((client) => client.settled()))
  expect(all.map(received)).toEqual([[1], [1], [1, 2], [1, 2]])
  hub.stop()
  await Promise.all(all.map((client) => client.whenClosed()))
  expect(all.map(received)).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
    [1, 2],
  ])
})

it('every subscriber gets the messages published during its membership, in order, for any events between time slices', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('publish' as const) },
      { weight: 3, arbitrary: fc.constant('slice' as const) },
      { weight: 2, arbitrary: fc.constant('join' as const) },
      fc.constant('window' as const),
      fc.record({ leaves: fc.nat(5) }),
    ),
    { minLength: 5, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (scenario) => {
      const current: { client: RawClient; expected: number[] }[] = []
      const left: typeof current = []
      const join = async () => void current.push({ client: await member(), expected: [] })
      for (let n = 0; n < 4; n++) await join()
      tickMs = 1
      let published = 0
      for (const step of scenario) {
        if (step === 'publish') {
          published += 1
          publish(published)
          for (const { expected } of current) expected.push(published)
        } else if (step === 'slice') await new Promise(setImmediate)
        else if (step === 'window') nowMs += 600_000
        else if (step === 'join') await join()
        else {
          for (const leaver of current.splice(step.leaves, 1)) {
            leaver.client.send(TOPIC, 'phx_leave')
            await leaver.client.find(([, , , event]) => event === 'phx_close')
            left.push(leaver)
          }
        }
      }
      hub.flush()
      await Promise.all(current.map(({ client }) => client.settled()))
      for (const { client, expected } of current) expect(received(client)).toEqual(expected)
      for (const { client, expected } of left)
        expect(expected.slice(0, received(client).length)).toEqual(received(client))
      for (const { client } of [...current, ...left]) client.close()
      await until('all sockets are closed', () => hub.size === 0)
    }),
    { numRuns: 25 },
  )
})

it('frames of every length class arrive complete', async () => {
  const client = await member()
  const texts = [0, 1, 30, 50, 100, 125, 126, 127, 65_400, 65_535, 65_536, 200_000].map((length) =>
    'ü'.repeat(length / 2),
  )
  for (const text of texts) {
    nowMs += 600_000
    publish(text)
  }
  await until('all are received', () => received(client).length === texts.length)
  expect(received(client)).toEqual(texts)
})

it('a socket without a heartbeat is closed', async () => {
  const client = await member()
  nowMs += 74_000
  hub.sweep()
  await client.settled()
  nowMs += 76_000
  hub.sweep()
  expect(await client.whenClosed()).toEqual({ code: 4000, reason: 'No heartbeat.' })
  await until('the socket is removed', () => hub.size === 0)
  expect(hub.viewers()).toEqual(new Map())
})
