import type { AddressInfo } from 'node:net'
import type { AccessList } from '@looptide/service-kit/access-list'
import { createLogger } from '@looptide/service-kit/logger'
import { createMetrics } from '@looptide/service-kit/metrics'
import { type App, buildServer } from '@looptide/service-kit/server'
import { JwksTokenVerifier } from '@looptide/service-kit/tokens'
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
import { RawClient } from './_harness.ts'

/** The hub alone behind its real route, with a window so long that only the test ends it. */
let hub: Hub
let app: App
let url: string
let nowMs: number
/** How much later it is with every look at the clock, in ms: with 3, a slice ends with its second member. */
let tickMs: number
const clients: RawClient[] = []

const access: AccessList = {
  loaded: true,
  isRevoked: () => false,
  roleOf: () => 'user',
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
    peers: noPeers,
    limits: hubLimits(1),
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
    allowedOrigins: [],
    maxSockets: 100,
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

const say = (n: number | string): void => hub.publish('chat:default', 'message', n)
const heard = (client: RawClient): unknown[] =>
  client.messages.filter(([, , , event]) => event === 'broadcast').map(([, , , , { payload }]) => payload)

it('a message on a quiet topic goes out at once', async () => {
  const client = await member()
  say(1)
  await until('it is heard', () => heard(client).length === 1)
})

it('messages on a busy topic wait for each other and come in order', async () => {
  const client = await member()
  for (const n of [1, 2, 3, 4]) say(n)
  await client.settled()
  expect(heard(client)).toEqual([1])
  hub.stop()
  await client.whenClosed()
  expect(heard(client)).toEqual([1, 2, 3, 4])
})

it('a topic that was busy long ago is quiet again', async () => {
  const client = await member()
  say(1)
  nowMs += 600_000
  say(2)
  await until('both are heard', () => heard(client).length === 2)
})

it('who comes while messages wait gets what came later, and nothing older', async () => {
  const early = await member()
  for (const n of [1, 2]) say(n)
  const late = await member()
  for (const n of [3, 4]) say(n)
  const latest = await member()
  hub.stop()
  await Promise.all([early, late, latest].map((client) => client.whenClosed()))
  expect([early, late, latest].map(heard)).toEqual([[1, 2, 3, 4], [3, 4], []])
})

it('who leaves while messages wait gets no more', async () => {
  const [stays, leaves] = [await member(), await member()]
  say(1)
  say(2)
  leaves.send(TOPIC, 'phx_leave')
  await leaves.find(([, , , event]) => event === 'phx_close')
  hub.stop()
  await stays.whenClosed()
  expect(heard(stays)).toEqual([1, 2])
  expect(heard(leaves)).toEqual([1])
})

it('a round in slices takes along what is said meanwhile; who has had their turn gets it in the next', async () => {
  const [first, second, third, fourth] = [await member(), await member(), await member(), await member()]
  tickMs = 3
  say(1)
  say(2)
  await until('the last has had its turn', () => heard(fourth).length > 0)
  const all = [first, second, third, fourth]
  await Promise.all(all.map((client) => client.settled()))
  expect(all.map(heard)).toEqual([[1], [1], [1, 2], [1, 2]])
  hub.stop()
  await Promise.all(all.map((client) => client.whenClosed()))
  expect(all.map(heard)).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
    [1, 2],
  ])
})

it('whatever happens between the slices, everybody gets what is said while they are there, in order', {
  timeout: 60_000,
}, async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('say' as const) },
      { weight: 3, arbitrary: fc.constant('slice' as const) },
      { weight: 2, arbitrary: fc.constant('come' as const) },
      fc.constant('window' as const),
      fc.record({ leaves: fc.nat(5) }),
    ),
    { minLength: 5, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const here: { client: RawClient; meant: number[] }[] = []
      const gone: typeof here = []
      const come = async () => void here.push({ client: await member(), meant: [] })
      for (let n = 0; n < 4; n++) await come()
      tickMs = 3
      let said = 0
      for (const step of story) {
        if (step === 'say') {
          said += 1
          say(said)
          for (const { meant } of here) meant.push(said)
        } else if (step === 'slice') await new Promise(setImmediate)
        else if (step === 'window') nowMs += 600_000
        else if (step === 'come') await come()
        else {
          for (const leaver of here.splice(step.leaves, 1)) {
            leaver.client.send(TOPIC, 'phx_leave')
            await leaver.client.find(([, , , event]) => event === 'phx_close')
            gone.push(leaver)
          }
        }
      }
      hub.flush()
      await Promise.all(here.map(({ client }) => client.settled()))
      for (const { client, meant } of here) expect(heard(client)).toEqual(meant)
      for (const { client, meant } of gone)
        expect(meant.slice(0, heard(client).length)).toEqual(heard(client))
      for (const { client } of [...here, ...gone]) client.close()
      await until('all are forgotten', () => hub.size === 0)
    }),
    { numRuns: 25 },
  )
})

it('frames of every length class arrive whole', async () => {
  const client = await member()
  const texts = [0, 1, 30, 50, 100, 125, 126, 127, 65_400, 65_535, 65_536, 200_000].map((length) =>
    'ü'.repeat(length / 2),
  )
  for (const text of texts) {
    nowMs += 600_000
    say(text)
  }
  await until('all are there', () => heard(client).length === texts.length)
  expect(heard(client)).toEqual(texts)
})

it('a socket that says nothing for too long is closed', async () => {
  const client = await member()
  nowMs += 74_000
  hub.sweep()
  await client.settled()
  nowMs += 76_000
  hub.sweep()
  expect(await client.whenClosed()).toEqual({ code: 4000, reason: 'No heartbeat.' })
  await until('it is forgotten', () => hub.size === 0)
  expect(hub.viewers()).toEqual(new Map())
})
