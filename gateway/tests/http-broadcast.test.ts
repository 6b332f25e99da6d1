import type { RefusedAttemptsBody } from '@looptide/contracts/http/admin'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { bearerOf } from '@looptide/testkit/client'
import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gatewayProcess, type RunningGateway } from '../src/gateway.ts'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

/** Two gateways of one installation. All requests go to the first one. */
let harness: GatewayHarness
let second: RunningGateway
let alice: TestUser
let admin: TestUser
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  harness = await startGatewayHarness({ RATE_LIMIT_FACTOR: '1' })
  second = await startProcess(gatewayProcess(harness.config))
  alice = await harness.identity.createUser()
  admin = await harness.identity.createUser('admin')
  harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
})
afterAll(async () => {
  await second.close()
  await harness.close()
})
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

const PATH = '/realtime/v1/api/broadcast'
const topicOf = ({ id }: TestUser): string => `user:${id}`
const urlOf = (gateway: RunningGateway): string => `${gateway.url.replace('http', 'ws')}/realtime/v1`

/** A client that has joined a topic at one of the gateways. */
async function member(user: TestUser, topic: string, gateway = harness.gateway): Promise<RawClient> {
  const client = await new RawClient(urlOf(gateway)).open()
  cleanups.push(() => client.close())
  await until('it has joined', async () => {
    const { status } = await client.join(`realtime:${topic}`, { access_token: user.token })
    return status === 'ok'
  })
  return client
}

function post(user: TestUser | null, body: unknown, path = PATH, type = 'application/json') {
  return fetch(harness.gateway.url + path, {
    method: 'POST',
    headers: {
      apikey: 'looptide-public',
      'content-type': type,
      ...(user === null ? {} : bearerOf(user.token)),
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
}

async function refusalOf(answer: Promise<Response>): Promise<string> {
  const response = await answer
  return `${response.status} ${((await response.json()) as { code: string }).code}`
}

const message = (topic: string, event = 'note', payload: unknown = {}) => ({ topic, event, payload })

/** A channel of the stock client that is not subscribed. */
async function channelOf(user: TestUser | null, topic: string): Promise<RealtimeChannel> {
  const client = new RealtimeClient(urlOf(harness.gateway), { params: { apikey: 'looptide-public' } })
  cleanups.push(() => client.disconnect())
  if (user !== null) await client.setAuth(user.token)
  return client.channel(topic, { config: { private: true } })
}

describe('the stock client', () => {
  it('broadcasts JSON with httpSend to the members at every gateway', async () => {
    const members = [await member(alice, topicOf(alice)), await member(alice, topicOf(alice), second)]
    const payload = { n: 1, text: 'ü\n🎵' }
    const channel = await channelOf(alice, topicOf(alice))
    // A gateway's interest in a topic reaches NATS a moment after it has answered the join.
    await until('a broadcast reaches both gateways', async () => {
      await channel.httpSend('ready', {})
      return members.every(({ messages }) => messages.some((frame) => frame[4].event === 'ready'))
    })
    expect(await channel.httpSend('save it', payload)).toEqual({ success: true })
    for (const client of members)
      expect(await client.broadcast(`realtime:${topicOf(alice)}`, 'save it')).toEqual(payload)
  })

  it('broadcasts bytes with httpSend', async () => {
    const listener = await member(alice, topicOf(alice))
    const bytes = new Uint8Array([0, 1, 2, 253, 254, 255])
    const channel = await channelOf(alice, topicOf(alice))
    expect(await channel.httpSend('bytes', bytes.buffer)).toEqual({ success: true })
    const frame = await until('the broadcast is received', () => listener.binary[0])
    expect(frame.subarray(-6)).toEqual(Buffer.from(bytes))
  })

  it('broadcasts with send while it has not subscribed', async () => {
    const listener = await member(alice, topicOf(alice))
    const channel = await channelOf(alice, topicOf(alice))
    expect(await channel.send({ type: 'broadcast', event: 'early', payload: { a: 1 } })).toBe('ok')
    expect(await listener.broadcast(`realtime:${topicOf(alice)}`, 'early')).toEqual({ a: 1 })
  })

  it('receives the message of a refusal', async () => {
    const channel = await channelOf(alice, topicOf(admin))
    await expect(channel.httpSend('note', {})).rejects.toThrow('You may not broadcast on this topic.')
  })
})

describe('a broadcast over HTTP', () => {
  it('of several messages reaches each topic in order', async () => {
    const userClient = await member(admin, topicOf(admin), second)
    const adminClient = await member(admin, 'admin')
    const messages = [
      message(topicOf(admin), 'first', { n: 1 }),
      message('admin', 'note', { n: 2 }),
      message(topicOf(admin), 'last', { n: 3 }),
    ]
    const response = await post(admin, { messages })
    expect([response.status, await response.text()]).toEqual([202, ''])
    expect(await adminClient.broadcast('realtime:admin', 'note')).toEqual({ n: 2 })
    await userClient.broadcast(`realtime:${topicOf(admin)}`, 'last')
    const received = userClient.messages
      .filter(([, , , event]) => event === 'broadcast')
      .map(([, , , , payload]) => payload.event)
    expect(received).toEqual(['first', 'last'])
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

  it('by an anonymous user to a topic of the staff is reported with the network, as a refused join is', async () => {
    const viewer = await harness.identity.createUser('user', { isAnonymous: true })
    expect(await refusalOf(post(viewer, { messages: [message('admin')] }))).toBe('403 forbidden')
    const client = await new RawClient(urlOf(harness.gateway)).open()
    cleanups.push(() => client.close())
    await client.join('realtime:admin', { access_token: viewer.token })
    const reported = () =>
      harness.admin.requests
        .filter(({ url }) => url === '/internal/refused-attempts')
        .flatMap(({ body }) => (JSON.parse(body) as RefusedAttemptsBody).attempts)
        .filter(({ userId }) => userId === viewer.id)
    await until('both are reported', () => reported().length === 2)
    expect(reported().map(({ operation }) => operation)).toEqual([
      'realtime.admin.broadcast',
      'realtime.admin.join',
    ])
    const [first, ...others] = new Set(reported().map(({ network }) => network))
    expect([typeof first, others]).toEqual(['string', []])
  })

  it.each(['station', 'guide', 'moderation', 'stream:default', 'chat:default'])(
    'is refused on %s, where clients do not broadcast',
    async (topic) => {
      expect(await refusalOf(post(admin, { messages: [message(topic)] }))).toBe('403 forbidden')
    },
  )

  it('requires a token with an active session', async () => {
    const messages = [message(topicOf(alice))]
    expect(await refusalOf(post(null, { messages }))).toBe('401 unauthorized')
    expect(await refusalOf(post({ ...alice, token: 'x.y.z' }, { messages }))).toBe('401 unauthorized')
    const revoked = await harness.identity.createUser()
    expect((await post(revoked, { messages: [message(topicOf(revoked))] })).status).toBe(202)
    harness.revoke(revoked)
    await until('it is refused', async () => {
      const answer = await refusalOf(post(revoked, { messages: [message(topicOf(revoked))] })).catch(
        () => '202',
      )
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
    ['an unknown field', { messages: [{ ...message('admin'), persist: true }] }],
    [
      'values nested too deeply',
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

  it('larger than a message of a socket is refused', async () => {
    const body = { messages: [message('admin', 'e', 'x'.repeat(262_144))] }
    expect(await refusalOf(post(admin, body))).toBe('413 payload_too_large')
  })

  it('without a payload is refused', async () => {
    const url = `${harness.gateway.url}${PATH}/admin/events/e`
    const answer = fetch(url, { method: 'POST', headers: bearerOf(admin.token) })
    expect(await refusalOf(answer)).toBe('400 validation_failed')
  })

  it('is refused with persist=true', async () => {
    const path = `${PATH}/admin/events/e?private=true&persist=true`
    expect(await refusalOf(post(admin, {}, path))).toBe('400 validation_failed')
  })

  it('counts against the message budget of its user, in any session', async () => {
    const user = await harness.identity.createUser()
    const hundredMessages = { messages: Array.from({ length: 100 }, () => message(topicOf(user))) }
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await post(user, hundredMessages)).status)
    expect(statuses.slice(0, 3)).toEqual([202, 202, 202])
    expect(statuses).toContain(429)
    expect((await post(alice, { messages: [message(topicOf(alice))] })).status).toBe(202)
  })

  it('counts against the byte budget of its user', async () => {
    const user = await harness.identity.createUser()
    const body = { messages: [message(topicOf(user), 'e', 'x'.repeat(250_000))] }
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await post(user, body)).status)
    expect(statuses.slice(0, 2)).toEqual([202, 202])
    expect(statuses).toContain(429)
  })

  it('is in the OpenAPI description', async () => {
    const { paths } = (await (await fetch(`${harness.gateway.url}/docs/json`)).json()) as {
      paths: Record<string, unknown>
    }
    expect(Object.keys(paths)).toEqual(expect.arrayContaining([PATH, `${PATH}/{topic}/events/{event}`]))
  })
})
