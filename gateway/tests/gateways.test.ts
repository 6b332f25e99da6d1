import { until } from '@looptide/testkit/until'
import { RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningGateway, startGateway } from '../src/gateway.ts'
import { ALL_AT_ONCE, drain } from '../src/realtime/drain.ts'
import { RawClient, startStation, type TestStation } from './_util.ts'

/** Two gateways of one station. */
let station: TestStation
let second: RunningGateway
const clients: { close(): void }[] = []

beforeAll(async () => {
  // Sixty full guides a minute and address, as the narrowest limit of the gateway has it.
  station = await startStation({ RATE_LIMIT_FACTOR: '1' })
  second = await startGateway(station.config)
  await until('the second one is ready', async () => {
    const { checks } = (await (await fetch(`${second.metricsUrl}/readyz`)).json()) as {
      checks: { ok: boolean }[]
    }
    return checks.every(({ ok }) => ok)
  })
})
afterAll(async () => {
  await second.close()
  await station.close()
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

describe('what members say', () => {
  it('reaches the members at the other gateway, in order, and nobody else', async () => {
    const alice = await station.identity.createUser()
    const bob = await station.identity.createUser()
    const topic = `realtime:user:${alice.id}`
    const [speaker, twin] = [await open(station.gateway), await open(station.gateway)]
    const [far, stranger] = [await open(second), await open(second)]
    const { joinRef } = await speaker.join(topic, { access_token: alice.token })
    for (const client of [twin, far]) await client.join(topic, { access_token: alice.token })
    await stranger.join(`realtime:user:${bob.id}`, { access_token: bob.token })
    for (const n of [1, 2, 3])
      speaker.send(
        topic,
        'broadcast',
        { type: 'broadcast', event: 'save', payload: { n, text: 'ü\n🎵' } },
        joinRef,
      )
    const heard = (client: RawClient): unknown[] =>
      client.messages.filter(([, , , event]) => event === 'broadcast').map(([, , , , payload]) => payload)
    const said = [1, 2, 3].map((n) => ({ type: 'broadcast', event: 'save', payload: { n, text: 'ü\n🎵' } }))
    for (const client of [twin, far]) {
      await until('all is heard', () => heard(client).length === 3)
      expect(heard(client)).toEqual(said)
    }
    await Promise.all([speaker.settled(), stranger.settled()])
    expect([heard(speaker), heard(stranger)]).toEqual([[], []])
  })

  it('arrives byte for byte', async () => {
    const alice = await station.identity.createUser()
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
    const heard: unknown[] = []
    await subscribed(second, (payload) => heard.push(payload))
    const sender = await subscribed(station.gateway, () => undefined)
    const bytes = new Uint8Array([10, 0, 1, 2, 253, 254, 255, 10])
    await sender.send({ type: 'broadcast', event: 'bytes', payload: bytes.buffer })
    await until('they are there', () => heard.length === 1)
    expect(new Uint8Array(heard[0] as ArrayBuffer)).toEqual(bytes)
  })

  it('is refused when it is too large to be passed on', async () => {
    const alice = await station.identity.createUser()
    const topic = `realtime:user:${alice.id}`
    const client = await open(station.gateway)
    const { joinRef } = await client.join(topic, { access_token: alice.token })
    // Four letters that are twenty-one when they are written as JSON again.
    const payload = `${Array(9000).fill('1e20').join(',')},"${'x'.repeat(80_000)}"`
    client.socket.send(`["${joinRef}","big","${topic}","broadcast",{"event":"x","payload":[${payload}]}]`)
    const reply = await client.reply('big')
    expect(reply).toMatchObject({ status: 'error', response: { reason: expect.stringContaining('262144') } })
  })
})

describe('presence', () => {
  const ADMIN = 'realtime:admin'

  async function desk(gateway: RunningGateway, key: string): Promise<RawClient & { joinRef: string }> {
    const admin = await station.identity.createUser()
    station.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
    const client = await open(gateway)
    const joined = await until('the admin is known', async () => {
      const config = { presence: { enabled: true, key } }
      const answer = await client.join(ADMIN, { access_token: admin.token, config })
      return answer.status === 'ok' && answer
    })
    return Object.assign(client, { joinRef: joined.joinRef })
  }

  /** Who is there, as a client that follows the protocol has it. */
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

  it('is one over both gateways: for who was there, for who comes later, and when one goes', async () => {
    const ann = await desk(station.gateway, 'ann')
    track(ann, 'library')
    const ben = await desk(second, 'ben')
    await until('ben learns of ann', () => state(ben).ann?.[0]?.place === 'library')
    track(ben, 'guide')
    await until('ann learns of ben', () => state(ann).ben?.[0]?.place === 'guide')
    track(ann, 'audit')
    await until('ben sees the change', () => state(ben).ann?.[0]?.place === 'audit')
    expect(state(ben).ann).toHaveLength(1)
    ann.close()
    await until('ben sees ann go', () => state(ben).ann === undefined)
    expect(Object.keys(state(ben))).toEqual(['ben'])
  })

  it('of a gateway that fell silent ends; of one that is heard again is back', async () => {
    const ann = await desk(station.gateway, 'ann')
    const other = {
      from: 'other-gateway',
      kind: 'state',
      entries: [{ key: 'carl', meta: { phx_ref: 'c1' } }],
    }
    station.nats.publish('live.topics.admin', `${JSON.stringify(other)}\n`)
    await until('carl is there', () => state(ann).carl?.length === 1)
    await until('his gateway is taken for gone', () => state(ann).carl === undefined, { timeoutMs: 12_000 })
    const asked = new Promise((resolve) =>
      station.nats.subscribe('live.gateways.heartbeat', {
        callback: (_error, message) => {
          if (message.json<{ state: string }>().state === 'started') resolve('started')
        },
      }),
    )
    await station.nats.flush()
    station.nats.publish('live.topics.admin', `${JSON.stringify(other)}\n`)
    await until('carl is back', () => state(ann).carl?.length === 1)
    // Whoever was thought gone is asked for all it has.
    expect(await asked).toBe('started')
    station.nats.publish(
      'live.gateways.heartbeat',
      JSON.stringify({ gatewayId: 'other-gateway', state: 'stopping' }),
    )
    await until('a goodbye is believed at once', () => state(ann).carl === undefined)
  })

  it('is bounded: what one says of itself, and how many there are', async () => {
    const ann = await desk(station.gateway, 'ann')
    expect(await ann.reply(track(ann, 'x'.repeat(8200)))).toMatchObject({ status: 'error' })
    expect(await ann.reply(track(ann, 'x'.repeat(8000)))).toMatchObject({ status: 'ok' })
    const alice = await station.identity.createUser()
    const topic = `realtime:user:${alice.id}`
    const payload = { type: 'presence', event: 'track', payload: {} }
    const track101 = Array.from({ length: 101 }, async () => {
      const client = await open(station.gateway)
      const { joinRef } = await client.join(topic, { access_token: alice.token })
      return (await client.reply(client.send(topic, 'presence', payload, joinRef))).status
    })
    const statuses = await Promise.all(track101)
    expect(statuses.filter((status) => status === 'ok')).toHaveLength(100)
  })
})

describe('viewers', () => {
  it('of both are counted at each, and go with the gateway that leaves', async () => {
    const third = await startGateway(station.config)
    const [near, far] = [await open(station.gateway), await open(third)]
    for (const client of [near, far]) await client.join('realtime:stream:default')
    for (const gateway of [station.gateway, second, third])
      await until('both are counted', async () => (await totals(gateway)).default === 2)
    // A gateway that comes later asks, and need not wait for the next change.
    const fourth = await startGateway(station.config)
    await until('it knows at once', async () => (await totals(fourth)).default === 2, { timeoutMs: 3000 })
    await third.close()
    expect((await far.whenClosed()).code).toBe(1012)
    for (const gateway of [station.gateway, second, fourth])
      await until('one is left', async () => (await totals(gateway)).default === 1)
    await fourth.close()
  })
})

it('a session that ends is out at both within a second', async () => {
  const person = await station.identity.createUser()
  const both = [await open(station.gateway), await open(second)]
  for (const client of both) await client.join(`realtime:user:${person.id}`, { access_token: person.token })
  const startedAtMs = performance.now()
  station.revoke(person)
  const codes = await Promise.all(both.map(async (client) => (await client.whenClosed()).code))
  expect(codes).toEqual([4001, 4001])
  expect(performance.now() - startedAtMs).toBeLessThan(1000)
})

it('requests are counted together', async () => {
  const ask = (gateway: RunningGateway) => async () => (await fetch(`${gateway.url}/api/guide.xml`)).status
  const statuses = await Promise.all(
    Array.from({ length: 80 }, (_, i) => ask(i % 2 === 0 ? station.gateway : second)()),
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

describe('a gateway that is told to go', () => {
  it('and is the only one, sends everybody away in one breath', async () => {
    const leaving = await startGateway(station.config)
    const viewers = await Promise.all(Array.from({ length: 100 }, () => open(leaving)))
    const drained = drain(leaving.hub, ALL_AT_ONCE).then(() => 'drained')
    const nextTurn = new Promise((resolve) => setImmediate(resolve, 'next turn'))
    expect(await Promise.race([drained, nextTurn])).toBe('drained')
    await Promise.all(viewers.map((viewer) => viewer.whenClosed()))
    await leaving.close()
  })

  it('refuses new sockets, sends the others away, and answers what is in hand', async () => {
    const leaving = await startGateway(station.config)
    const viewers = await Promise.all(Array.from({ length: 12 }, () => open(leaving)))
    await drain(leaving.hub, { perSecond: 1000, longestMs: 1000 })
    const closed = await Promise.all(viewers.map((viewer) => viewer.whenClosed()))
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1012]))
    const late = new RawClient(realtimeUrl(leaving))
    const refusal = new Promise((resolve) => {
      late.socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    })
    expect(await refusal).toBe(503)
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    station.catalogue.answer = async () => {
      asked.resolve()
      await gate.promise
      return { status: 200, body: { items: [] } }
    }
    const inHand = fetch(`${leaving.url}/api/videos`)
    await asked.promise
    const closing = leaving.close()
    await until('it says that it is not ready', async () => {
      const probe = await fetch(`${leaving.metricsUrl}/readyz`)
      return probe.status === 503
    })
    gate.resolve()
    const response = await inHand
    expect(response.status).toBe(200)
    expect(response.headers.get('connection')).toBe('close')
    await closing
  })
})
