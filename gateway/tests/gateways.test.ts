import { startProcess } from '@looptide/service-kit/process/start-process'
import { oneWithin } from '@looptide/testkit/one-within'
import { until } from '@looptide/testkit/until'
import { acceptedInTurn } from '@looptide/testkit/until-refused'
import { RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { gatewayProcess, type RunningGateway } from '../src/gateway.ts'
import { ALL_AT_ONCE, drain } from '../src/realtime/drain.ts'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

/** Two gateways of one installation. */
let harness: GatewayHarness
let second: RunningGateway
const clients: { close(): void }[] = []

beforeAll(async () => {
  // Factor 1: 60 full guides a minute and client network, the strictest limit of the gateway.
  harness = await startGatewayHarness({ RATE_LIMIT_FACTOR: '1' })
  second = await startProcess(gatewayProcess(harness.config))
  await until('the second gateway is ready', async () => {
    const { checks } = (await (await fetch(`${second.metricsUrl}/readyz`)).json()) as {
      checks: { ok: boolean }[]
    }
    return checks.every(({ ok }) => ok)
  })
})
afterAll(async () => {
  await second.close()
  await harness.close()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

const realtimeUrl = (gateway: RunningGateway): string => `${gateway.url.replace('http', 'ws')}/realtime/v1`

async function open(gateway: RunningGateway): Promise<RawClient> {
  const client = new RawClient(realtimeUrl(gateway))
  clients.push(client)
  return client.open()
}

const totals = async (gateway: RunningGateway): Promise<Record<string, number>> => {
  const { counts } = (await (await fetch(`${gateway.url}/api/viewers`)).json()) as {
    counts: Record<string, number>
  }
  return counts
}

describe('a broadcast of a member', () => {
  it('reaches only the members of its topic at the other gateway, in order', async () => {
    const alice = await harness.identity.createUser()
    const bob = await harness.identity.createUser()
    const topic = `realtime:user:${alice.id}`
    const [sender, local] = [await open(harness.gateway), await open(harness.gateway)]
    const [remote, other] = [await open(second), await open(second)]
    const { joinRef } = await sender.join(topic, { access_token: alice.token })
    for (const client of [local, remote]) await client.join(topic, { access_token: alice.token })
    await other.join(`realtime:user:${bob.id}`, { access_token: bob.token })
    for (const n of [1, 2, 3])
      sender.send(
        topic,
        'broadcast',
        { type: 'broadcast', event: 'save', payload: { n, text: 'ü\n🎵' } },
        joinRef,
      )
    const received = (client: RawClient): unknown[] =>
      client.messages.filter(([, , , event]) => event === 'broadcast').map(([, , , , payload]) => payload)
    const sent = [1, 2, 3].map((n) => ({ type: 'broadcast', event: 'save', payload: { n, text: 'ü\n🎵' } }))
    for (const client of [local, remote]) {
      await until('all are received', () => received(client).length === 3)
      expect(received(client)).toEqual(sent)
    }
    await Promise.all([sender.settled(), other.settled()])
    expect([received(sender), received(other)]).toEqual([[], []])
  })

  it('preserves bytes', async () => {
    const alice = await harness.identity.createUser()
    const subscribed = async (gateway: RunningGateway, take: (payload: unknown) => void) => {
      const client = new RealtimeClient(realtimeUrl(gateway), {
        params: { apikey: 'looptide-public' },
        transport: WebSocket as never,
      })
      clients.push({ close: () => void client.disconnect() })
      await client.setAuth(alice.token)
      const channel = client.channel(`user:${alice.id}`)
      channel.on('broadcast', { event: 'bytes' }, ({ payload }) => take(payload))
      let status = ''
      channel.subscribe((now) => {
        status = now
      })
      await until('it is subscribed', () => status === 'SUBSCRIBED')
      return channel
    }
    const received: unknown[] = []
    await subscribed(second, (payload) => received.push(payload))
    const sender = await subscribed(harness.gateway, () => undefined)
    const bytes = new Uint8Array([10, 0, 1, 2, 253, 254, 255, 10])
    await sender.send({ type: 'broadcast', event: 'bytes', payload: bytes.buffer })
    await until('the bytes are received', () => received.length === 1)
    expect(new Uint8Array(received[0] as ArrayBuffer)).toEqual(bytes)
  })

  it('is refused when it is too large to be relayed', async () => {
    const alice = await harness.identity.createUser()
    const topic = `realtime:user:${alice.id}`
    const client = await open(harness.gateway)
    const { joinRef } = await client.join(topic, { access_token: alice.token })
    // 1e20 has 4 characters here and 21 when it is serialised again.
    const payload = `${Array(9000).fill('1e20').join(',')},"${'x'.repeat(80_000)}"`
    client.socket.send(`["${joinRef}","big","${topic}","broadcast",{"event":"x","payload":[${payload}]}]`)
    const reply = await client.reply('big')
    expect(reply).toMatchObject({ status: 'error', response: { reason: expect.stringContaining('262144') } })
  })
})

describe('presence', () => {
  const ADMIN = 'realtime:admin'

  async function joinAsAdmin(gateway: RunningGateway, key: string): Promise<RawClient & { joinRef: string }> {
    const admin = await harness.identity.createUser('admin')
    harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
    const client = await open(gateway)
    const joined = await until('the role is effective', async () => {
      const config = { presence: { enabled: true, key } }
      const answer = await client.join(ADMIN, { access_token: admin.token, config })
      return answer.status === 'ok' && answer
    })
    return Object.assign(client, { joinRef: joined.joinRef })
  }

  /** The presence state of a client that follows the protocol. */
  function state(client: RawClient): Record<string, { place?: string; phx_ref: string }[]> {
    const refs = new Map<string, { key: string; place?: string; phx_ref: string }>()
    type Metas = Record<string, { metas: { place?: string; phx_ref: string }[] }>
    const add = (metas: Metas): void => {
      for (const [key, entry] of Object.entries(metas))
        for (const meta of entry.metas) refs.set(meta.phx_ref, { key, ...meta })
    }
    for (const [, , , event, payload] of client.messages) {
      if (event === 'presence_state') {
        refs.clear()
        add(payload as Metas)
      } else if (event === 'presence_diff') {
        const { joins, leaves } = payload as { joins: Metas; leaves: Metas }
        for (const entry of Object.values(leaves)) for (const meta of entry.metas) refs.delete(meta.phx_ref)
        add(joins)
      }
    }
    return Object.groupBy(refs.values(), ({ key }) => key) as ReturnType<typeof state>
  }

  const track = (client: RawClient & { joinRef: string }, place: string): string =>
    client.send(ADMIN, 'presence', { type: 'presence', event: 'track', payload: { place } }, client.joinRef)

  it('is shared by both gateways, for earlier and later members, and when one leaves', async () => {
    const ann = await joinAsAdmin(harness.gateway, 'ann')
    track(ann, 'library')
    const ben = await joinAsAdmin(second, 'ben')
    await until('ben sees ann', () => state(ben).ann?.[0]?.place === 'library')
    track(ben, 'guide')
    await until('ann sees ben', () => state(ann).ben?.[0]?.place === 'guide')
    track(ann, 'audit')
    await until('ben sees the change', () => state(ben).ann?.[0]?.place === 'audit')
    expect(state(ben).ann).toHaveLength(1)
    ann.close()
    await until('ben sees ann leave', () => state(ben).ann === undefined)
    expect(Object.keys(state(ben))).toEqual(['ben'])
  })

  it('of a lost gateway ends, and returns when the gateway is active again', async () => {
    const ann = await joinAsAdmin(harness.gateway, 'ann')
    const other = {
      from: 'other-gateway',
      kind: 'state',
      entries: [{ key: 'carl', meta: { phx_ref: 'c1' } }],
    }
    harness.nats.publish('live.topics.admin', `${JSON.stringify(other)}\n`)
    await until('carl is present', () => state(ann).carl?.length === 1)
    await until('his gateway times out', () => state(ann).carl === undefined)
    const announcement = new Promise((resolve) =>
      harness.nats.subscribe('live.gateways.heartbeat', {
        callback: (_error, message) => {
          if (message.json<{ state: string }>().state === 'started') resolve('started')
        },
      }),
    )
    await harness.nats.flush()
    harness.nats.publish('live.topics.admin', `${JSON.stringify(other)}\n`)
    await until('carl is present again', () => state(ann).carl?.length === 1)
    // The gateway announces itself, so that the returned gateway sends its whole state.
    expect(await announcement).toBe('started')
    harness.nats.publish(
      'live.gateways.heartbeat',
      JSON.stringify({ gatewayId: 'other-gateway', state: 'stopping' }),
    )
    await until('carl leaves at once with his gateway', () => state(ann).carl === undefined)
  })

  it('is limited in metadata size and in number of members', async () => {
    const ann = await joinAsAdmin(harness.gateway, 'ann')
    expect(await ann.reply(track(ann, 'x'.repeat(8200)))).toMatchObject({ status: 'error' })
    expect(await ann.reply(track(ann, 'x'.repeat(8000)))).toMatchObject({ status: 'ok' })
    const alice = await harness.identity.createUser()
    const topic = `realtime:user:${alice.id}`
    const payload = { type: 'presence', event: 'track', payload: {} }
    const track101 = Array.from({ length: 101 }, async () => {
      const client = await open(harness.gateway)
      const { joinRef } = await client.join(topic, { access_token: alice.token })
      return (await client.reply(client.send(topic, 'presence', payload, joinRef))).status
    })
    const statuses = await Promise.all(track101)
    expect(statuses.filter((status) => status === 'ok')).toHaveLength(100)
  })
})

describe('viewers', () => {
  it('of both are counted at each, until their gateway shuts down', async () => {
    const third = await startProcess(gatewayProcess(harness.config))
    const [local, remote] = [await open(harness.gateway), await open(third)]
    for (const client of [local, remote]) await client.join('realtime:stream:default')
    for (const gateway of [harness.gateway, second, third])
      await until('both are counted', async () => (await totals(gateway)).default === 2)
    // A gateway that starts later requests all counts instead of waiting for the next change.
    const fourth = await startProcess(gatewayProcess(harness.config))
    await until('it has the counts at once', async () => (await totals(fourth)).default === 2)
    await third.close()
    expect((await remote.whenClosed()).code).toBe(1012)
    for (const gateway of [harness.gateway, second, fourth])
      await until('one is left', async () => (await totals(gateway)).default === 1)
    await fourth.close()
  })
})

it('a revoked session is closed at both within a second', async () => {
  await oneWithin(1000, async () => {
    const user = await harness.identity.createUser()
    const both = [await open(harness.gateway), await open(second)]
    for (const client of both) await client.join(`realtime:user:${user.id}`, { access_token: user.token })
    const startedAtMs = performance.now()
    harness.revoke(user)
    const codes = await Promise.all(both.map(async (client) => (await client.whenClosed()).code))
    expect(codes).toEqual([4001, 4001])
    return performance.now() - startedAtMs
  })
})

it('requests to both are counted together', async () => {
  const [first, other] = await acceptedInTurn(
    `${harness.gateway.url}/api/guide.xml`,
    `${second.url}/api/guide.xml`,
  )
  expect(first).toBeGreaterThanOrEqual(60)
  // With a count of its own, it would accept as many.
  expect(other).toBeLessThan(60)
})

describe('a gateway that shuts down', () => {
  it('as the only one closes all sockets at once', async () => {
    const draining = await startProcess(gatewayProcess(harness.config))
    const viewers = await Promise.all(Array.from({ length: 100 }, () => open(draining)))
    const drained = drain(draining.hub, ALL_AT_ONCE).then(() => 'drained')
    const nextTurn = new Promise((resolve) => setImmediate(resolve, 'next turn'))
    expect(await Promise.race([drained, nextTurn])).toBe('drained')
    await Promise.all(viewers.map((viewer) => viewer.whenClosed()))
    await draining.close()
  })

  it('refuses new sockets, closes the open ones, and finishes its requests', async () => {
    const draining = await startProcess(gatewayProcess(harness.config))
    const viewers = await Promise.all(Array.from({ length: 12 }, () => open(draining)))
    await drain(draining.hub, { perSecond: 1000, maxDurationMs: 1000 })
    const closed = await Promise.all(viewers.map((viewer) => viewer.whenClosed()))
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1012]))
    const late = new RawClient(realtimeUrl(draining))
    const refusal = new Promise((resolve) => {
      late.socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    })
    expect(await refusal).toBe(503)
    const [requested, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    harness.catalogue.respond = async () => {
      requested.resolve()
      await gate.promise
      return { status: 200, body: { items: [] } }
    }
    const pending = fetch(`${draining.url}/api/videos`)
    await requested.promise
    const closing = draining.close()
    await until('it reports that it is not ready', async () => {
      const probe = await fetch(`${draining.metricsUrl}/readyz`)
      return probe.status === 503
    })
    gate.resolve()
    const response = await pending
    expect(response.status).toBe(200)
    expect(response.headers.get('connection')).toBe('close')
    await closing
  })
})
