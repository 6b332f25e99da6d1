import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGateway, startGateway } from '../src/gateway.ts'
import { RawClient, startStation, type TestStation } from './_util.ts'

/** Two gateways of one station: all requests go to the first one. */
let station: TestStation
let second: RunningGateway
let alice: TestUser
let admin: TestUser
const endings: (() => unknown)[] = []

beforeAll(async () => {
  station = await startStation({ RATE_LIMIT_FACTOR: '1' })
  second = await startGateway(station.config)
  alice = await station.identity.createUser()
  admin = await station.identity.createUser()
  station.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
})
afterAll(async () => {
  await second.close()
  await station.close()
})
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const PATH = '/realtime/v1/api/broadcast'
const topicOf = ({ id }: TestUser): string => `user:${id}`
const urlOf = (gateway: RunningGateway): string => `${gateway.url.replace('http', 'ws')}/realtime/v1`

/** A member of a topic at one of the gateways. */
async function member(person: TestUser, topic: string, gateway = station.gateway): Promise<RawClient> {
  const client = await new RawClient(urlOf(gateway)).open()
  endings.push(() => client.close())
  await until('it has joined', async () => {
    const { status } = await client.join(`realtime:${topic}`, { access_token: person.token })
    return status === 'ok'
  })
  return client
}

function post(person: TestUser | null, body: unknown, path = PATH, type = 'application/json') {
  return fetch(station.gateway.url + path, {
    method: 'POST',
    headers: {
      apikey: 'looptide-public',
      'content-type': type,
      ...(person === null ? {} : { authorization: `Bearer ${person.token}` }),
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
}

async function refusalOf(answer: Promise<Response>): Promise<string> {
  const response = await answer
  return `${response.status} ${((await response.json()) as { code: string }).code}`
}

const message = (topic: string, event = 'note', payload: unknown = {}) => ({ topic, event, payload })

/** The stock client's channel of a topic, not subscribed. */
async function channelOf(person: TestUser | null, topic: string): Promise<RealtimeChannel> {
  const client = new RealtimeClient(urlOf(station.gateway), { params: { apikey: 'looptide-public' } })
  endings.push(() => client.disconnect())
  if (person !== null) await client.setAuth(person.token)
  return client.channel(topic, { config: { private: true } })
}

describe('the stock client', () => {
  it('broadcasts JSON with httpSend to the members at every gateway', async () => {
    const members = [await member(alice, topicOf(alice)), await member(alice, topicOf(alice), second)]
    const payload = { n: 1, text: 'ü\n🎵' }
    const channel = await channelOf(alice, topicOf(alice))
    expect(await channel.httpSend('save it', payload)).toEqual({ success: true })
    for (const client of members)
      expect(await client.broadcast(`realtime:${topicOf(alice)}`, 'save it')).toEqual(payload)
  })

  it('broadcasts bytes with httpSend', async () => {
    const listener = await member(alice, topicOf(alice))
    const bytes = new Uint8Array([0, 1, 2, 253, 254, 255])
    const channel = await channelOf(alice, topicOf(alice))
    expect(await channel.httpSend('bytes', bytes.buffer)).toEqual({ success: true })
    const frame = await until('it is heard', () => listener.binary[0])
    expect(frame.subarray(-6)).toEqual(Buffer.from(bytes))
  })

  it('broadcasts with send while it has not subscribed', async () => {
    const listener = await member(alice, topicOf(alice))
    const channel = await channelOf(alice, topicOf(alice))
    expect(await channel.send({ type: 'broadcast', event: 'early', payload: { a: 1 } })).toBe('ok')
    expect(await listener.broadcast(`realtime:${topicOf(alice)}`, 'early')).toEqual({ a: 1 })
  })

  it('receives the reason of a refusal', async () => {
    const channel = await channelOf(alice, topicOf(admin))
    await expect(channel.httpSend('note', {})).rejects.toThrow('You may not broadcast on this topic.')
  })
})

describe('a broadcast over HTTP', () => {
  it('of several messages reaches each topic in order', async () => {
    const own = await member(admin, topicOf(admin), second)
    const all = await member(admin, 'admin')
    const messages = [
      message(topicOf(admin), 'first', { n: 1 }),
      message('admin', 'note', { n: 2 }),
      message(topicOf(admin), 'last', { n: 3 }),
    ]
    const response = await post(admin, { messages })
    expect([response.status, await response.text()]).toEqual([202, ''])
    expect(await all.broadcast('realtime:admin', 'note')).toEqual({ n: 2 })
    await own.broadcast(`realtime:${topicOf(admin)}`, 'last')
    const heard = own.messages
      .filter(([, , , event]) => event === 'broadcast')
      .map(([, , , , it]) => it.event)
    expect(heard).toEqual(['first', 'last'])
  })

  it('is not sent at all when one of its topics is refused', async () => {
    const listener = await member(alice, topicOf(alice))
    const messages = [message(topicOf(alice), 'half'), message('admin')]
    expect(await refusalOf(post(alice, { messages }))).toBe('403 forbidden')
    const after = await post(alice, { messages: [message(topicOf(alice), 'whole')] })
    expect(after.status).toBe(202)
    await listener.broadcast(`realtime:${topicOf(alice)}`, 'whole')
    expect(JSON.stringify(listener.messages)).not.toContain('half')
  })

  it.each(['station', 'guide', 'moderation', 'stream:default', 'chat:default'])(
    'is refused on %s, where clients do not broadcast',
    async (topic) => {
      expect(await refusalOf(post(admin, { messages: [message(topic)] }))).toBe('403 forbidden')
    },
  )

  it('needs a token whose session goes on', async () => {
    const messages = [message(topicOf(alice))]
    expect(await refusalOf(post(null, { messages }))).toBe('401 unauthorized')
    expect(await refusalOf(post({ ...alice, token: 'x.y.z' }, { messages }))).toBe('401 unauthorized')
    const gone = await station.identity.createUser()
    expect((await post(gone, { messages: [message(topicOf(gone))] })).status).toBe(202)
    station.revoke(gone)
    await until('it is refused', async () => {
      const answer = await refusalOf(post(gone, { messages: [message(topicOf(gone))] })).catch(() => '202')
      return answer === '401 unauthorized'
    })
  })

  it('is refused before its body is read', async () => {
    expect(await refusalOf(post(null, '{'))).toBe('401 unauthorized')
    expect(await refusalOf(post(alice, '{'))).toBe('400 bad_json')
  })

  it.each([
    ['no topic', { messages: [message('nowhere')] }],
    ['the prefix before its topic', { messages: [message('realtime:admin')] }],
    ['no messages', { messages: [] }],
    ['too many messages', { messages: Array.from({ length: 101 }, () => message('admin')) }],
    ['an event of 256 bytes', { messages: [message('admin', 'ü'.repeat(128))] }],
    ['a field that nobody knows', { messages: [{ ...message('admin'), persist: true }] }],
    [
      'values nested too deep',
      { messages: [message('admin', 'e', JSON.parse('['.repeat(70) + ']'.repeat(70)))] },
    ],
    [
      'too many values',
      {
        messages: [
          message(
            'admin',
            'e',
            Array.from({ length: 10_001 }, () => 0),
          ),
        ],
      },
    ],
  ])('with %s is refused', async (_what, body) => {
    expect(await refusalOf(post(admin, body))).toBe('400 validation_failed')
  })

  it('that is larger than a message of a socket is refused', async () => {
    const body = { messages: [message('admin', 'e', 'x'.repeat(262_144))] }
    expect(await refusalOf(post(admin, body))).toBe('413 payload_too_large')
  })

  it('without a payload is refused', async () => {
    const url = `${station.gateway.url}${PATH}/admin/events/e`
    const answer = fetch(url, { method: 'POST', headers: { authorization: `Bearer ${admin.token}` } })
    expect(await refusalOf(answer)).toBe('400 validation_failed')
  })

  it('is not stored for later', async () => {
    const path = `${PATH}/admin/events/e?private=true&persist=true`
    expect(await refusalOf(post(admin, {}, path))).toBe('400 validation_failed')
  })

  it('counts against the messages of its user, whatever the session', async () => {
    const person = await station.identity.createUser()
    const hundred = { messages: Array.from({ length: 100 }, () => message(topicOf(person))) }
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await post(person, hundred)).status)
    expect(statuses.slice(0, 3)).toEqual([202, 202, 202])
    expect(statuses).toContain(429)
    expect((await post(alice, { messages: [message(topicOf(alice))] })).status).toBe(202)
  })

  it('counts against the bytes of its user', async () => {
    const person = await station.identity.createUser()
    const body = { messages: [message(topicOf(person), 'e', 'x'.repeat(250_000))] }
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await post(person, body)).status)
    expect(statuses.slice(0, 2)).toEqual([202, 202])
    expect(statuses).toContain(429)
  })

  it('is in the description of all addresses', async () => {
    const { paths } = (await (await fetch(`${station.gateway.url}/docs/json`)).json()) as {
      paths: Record<string, unknown>
    }
    expect(Object.keys(paths)).toEqual(expect.arrayContaining([PATH, `${PATH}/{topic}/events/{event}`]))
  })
})
