import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type Channel, Socket } from 'phoenix'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { type Message, RawClient } from './_raw-client.ts'

/** The realtime protocol, tested with the published clients realtime-js and phoenix. */
let harness: GatewayHarness
let alice: TestUser
let admin: TestUser
const cleanups: (() => unknown)[] = []
/** Every text frame that the clients of this file received, with the join_refs that they sent. */
const frames: { joinRefs: ReadonlySet<string>; text: string; version: string }[] = []

beforeAll(async () => {
  harness = await startGatewayHarness({ RATE_LIMIT_FACTOR: '10' })
  alice = await harness.identity.createUser()
  admin = await harness.identity.createUser('admin')
  harness.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
})
afterAll(() => harness.close())
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

/** Node's WebSocket, which records the received frames and the sent join_refs. */
class RecordingSocket extends WebSocket {
  readonly joinRefs = new Set<string>()
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols)
    const version = new URL(url).searchParams.get('vsn') ?? ''
    this.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') frames.push({ joinRefs: this.joinRefs, text: data, version })
    })
  }
  override send(data: Parameters<WebSocket['send']>[0]): void {
    if (typeof data === 'string') {
      const parsed = JSON.parse(data)
      const joinRef = Array.isArray(parsed) ? parsed[0] : parsed.join_ref
      if (typeof joinRef === 'string') this.joinRefs.add(joinRef)
    }
    super.send(data)
  }
}

type Options = NonNullable<ConstructorParameters<typeof RealtimeClient>[1]>

function realtime(token: string | null = null, options: Partial<Options> = {}): RealtimeClient {
  const client = new RealtimeClient(harness.realtimeUrl, {
    params: { apikey: 'looptide-public' },
    transport: RecordingSocket as unknown as Options['transport'],
    ...options,
  })
  if (token !== null) void client.setAuth(token)
  cleanups.push(async () => client.disconnect())
  return client
}

/** Subscribes and records every status that the app receives. */
function subscribe(channel: RealtimeChannel): string[] {
  const statuses: string[] = []
  channel.subscribe((status) => statuses.push(status))
  return statuses
}

async function subscribed(channel: RealtimeChannel): Promise<RealtimeChannel> {
  const statuses = subscribe(channel)
  await until('the channel is subscribed', () => statuses.includes('SUBSCRIBED'))
  return channel
}

async function raw(query?: string): Promise<RawClient> {
  const client = new RawClient(harness.realtimeUrl, query)
  cleanups.push(() => client.close())
  return client.open()
}

function phoenix(): Socket {
  const store = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  }
  const socket = new Socket(harness.realtimeUrl, {
    transport: RecordingSocket,
    params: { apikey: 'k' },
    sessionStorage,
    reconnectAfterMs: () => 100,
    rejoinAfterMs: () => 100,
  })
  socket.connect()
  cleanups.push(() => socket.disconnect())
  return socket
}

const joined = (channel: Channel): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    channel.join().receive('ok', resolve).receive('error', reject)
  })

const userTopic = ({ id }: TestUser): string => `user:${id}`

const message = (changes: Partial<ChatMessage> = {}): ChatMessage => ({
  id: randomUUID(),
  channelId: 'default',
  seq: 8,
  userId: randomUUID(),
  author: { handle: 'kim', artistName: null, role: 'user' },
  message: 'hello',
  createdAt: new Date().toISOString(),
  ...changes,
})

describe('connection and heartbeat', () => {
  it.each(['1.0.0', '2.0.0'])('realtime-js subscribes and receives pushes in version %s', async (vsn) => {
    const received: unknown[] = []
    const channel = realtime(null, { vsn }).channel('chat:default')
    channel.on('broadcast', { event: 'message' }, ({ payload }) => received.push(payload))
    await subscribed(channel)
    const posted = message()
    harness.publish('chat.message.posted.v1', { message: posted })
    await until('the message is received', () => received.length === 1)
    expect(received).toEqual([{ message: posted }])
  })

  it('heartbeats are answered', async () => {
    const beats: string[] = []
    const client = realtime(null, {
      heartbeatIntervalMs: 1000,
      heartbeatCallback: (status) => beats.push(status),
    })
    await subscribed(client.channel('station'))
    await until('two heartbeats are answered', () => beats.filter((beat) => beat === 'ok').length >= 2)
    expect(beats).not.toContain('timeout')
    expect(beats).not.toContain('error')
  })

  it('a heartbeat requires no join', async () => {
    const client = await raw()
    const ref = client.send('phoenix', 'heartbeat')
    await client.reply(ref)
    expect(client.messages).toEqual([[null, ref, 'phoenix', 'phx_reply', { status: 'ok', response: {} }]])
  })

  it('the plain Phoenix client joins, receives, requests and leaves', async () => {
    const channel = phoenix().channel('realtime:stream:default')
    const pushes: Record<string, unknown>[] = []
    channel.on('broadcast', (payload) => pushes.push(payload))
    expect(await joined(channel)).toEqual({ postgres_changes: [] })
    await until('the snapshot is received', () => pushes.some(({ event }) => event === 'snapshot'))
    channel.push('broadcast', { type: 'broadcast', event: 'clock', payload: { sentAtMs: 1 } })
    await until('the clock answer is received', () => pushes.some(({ event }) => event === 'clock'))
    let left = false
    channel.leave().receive('ok', () => {
      left = true
    })
    await until('it has left', () => left && channel.state === 'closed')
  })
})

describe('events', () => {
  it('phx_leave gets a reply, then phx_close with the join_ref as ref', async () => {
    const client = await raw()
    const { joinRef } = await client.join('realtime:station')
    const ref = client.send('realtime:station', 'phx_leave', {}, joinRef)
    await client.find(([, , , event]) => event === 'phx_close')
    expect(client.messages.slice(-2)).toEqual([
      [joinRef, ref, 'realtime:station', 'phx_reply', { status: 'ok', response: {} }],
      [joinRef, joinRef, 'realtime:station', 'phx_close', {}],
    ])
  })

  it('without a membership phx_leave gets ok, and any other event unmatched topic', async () => {
    const client = await raw()
    expect(await client.reply(client.send('realtime:station', 'phx_leave'))).toEqual({
      status: 'ok',
      response: {},
    })
    for (const event of ['broadcast', 'presence', 'access_token', 'anything'])
      expect(await client.reply(client.send('realtime:station', event))).toEqual({
        status: 'error',
        response: { reason: 'unmatched topic' },
      })
    expect(await client.join('realtime:nonsense')).toMatchObject({ status: 'error' })
  })

  it('removeChannel leaves, and the topic can be joined again', async () => {
    const client = realtime()
    const first = await subscribed(client.channel('station'))
    expect(await client.removeChannel(first)).toBe('ok')
    await subscribed(client.channel('station'))
  })

  it('frames with a stale join_ref are ignored', async () => {
    const client = await raw()
    const first = await client.join('realtime:station')
    await client.join('realtime:station')
    client.messages.length = 0
    client.send('realtime:station', 'phx_leave', {}, first.joinRef)
    client.send('realtime:station', 'broadcast', { event: 'x' }, first.joinRef)
    await client.settled()
    expect(client.messages).toHaveLength(1)
    harness.publish('catalogue.home.changed.v1', {})
    expect(await client.broadcast('realtime:station', 'home')).toEqual({})
  })

  it('a second join closes the first membership and counts as new', async () => {
    const client = await raw()
    const first = await client.join('realtime:stream:default')
    const second = await client.join('realtime:stream:default')
    expect(second.status).toBe('ok')
    const events = client.messages.map(([joinRef, ref, , event]) => [joinRef, ref, event])
    const close = events.findIndex(([, , event]) => event === 'phx_close')
    expect(events[close]).toEqual([first.joinRef, first.joinRef, 'phx_close'])
    expect(events[close + 1]).toEqual([second.joinRef, second.joinRef, 'phx_reply'])
    expect(harness.gateway.hub.viewersOf('default')).toBe(1)
  })
})

describe('tokens', () => {
  it('a private topic without a token is refused, and joined automatically once there is one', async () => {
    const client = realtime()
    const statuses = subscribe(client.channel(userTopic(alice), { config: { private: true } }))
    await until('it is refused', () => statuses.includes('CHANNEL_ERROR'))
    expect(client.isConnected()).toBe(true)
    await client.setAuth(alice.token)
    await until('it is subscribed', () => statuses.includes('SUBSCRIBED'))
  })

  it('a user cannot join the topic of another user or of the admins', async () => {
    const client = await raw()
    const bob = await harness.identity.createUser()
    for (const topic of [`realtime:${userTopic(alice)}`, 'realtime:admin'])
      expect(await client.join(topic, { access_token: bob.token })).toMatchObject({
        status: 'error',
        response: { reason: expect.stringMatching(/^Unauthorized: /) },
      })
    expect(await client.join('realtime:admin', { access_token: admin.token })).toMatchObject({ status: 'ok' })
  })

  it('an invalid token is refused on every topic, an expired one only on private topics', async () => {
    const client = await raw()
    const [header, claims] = alice.token.split('.')
    const forged = `${header}.${claims}.${'A'.repeat(86)}`
    const expired = await harness.identity.createUser('user', { ttlS: -10 })
    for (const token of [forged, 'x', `${header}..`, 'a.b.c'])
      for (const topic of ['realtime:station', `realtime:${userTopic(alice)}`])
        expect((await client.join(topic, { access_token: token })).status).toBe('error')
    expect(
      (await client.join(`realtime:${userTopic(expired)}`, { access_token: expired.token })).status,
    ).toBe('error')
    expect((await client.join('realtime:station', { access_token: expired.token })).status).toBe('ok')
  })

  it('a newer, an equal and no token are accepted without a reply', async () => {
    const client = await raw()
    const topic = `realtime:${userTopic(alice)}`
    const { joinRef } = await client.join(topic, { access_token: alice.token })
    const newer = await harness.identity.createUser('user', { id: alice.id })
    client.messages.length = 0
    for (const token of [newer.token, newer.token, null])
      client.send(topic, 'access_token', { access_token: token }, joinRef)
    await client.settled()
    expect(client.messages).toHaveLength(1)
  })

  it.each([
    ['an invalid token', async () => 'not-a-token'],
    ["another user's token", async () => (await harness.identity.createUser()).token],
    [
      'an expired token',
      async () => (await harness.identity.createUser('user', { id: alice.id, ttlS: -10 })).token,
    ],
  ])('%s closes the channel permanently', async (_what, tokenOf) => {
    const client = realtime(alice.token)
    const system: unknown[] = []
    const channel = client.channel(userTopic(alice))
    channel.on('system', {}, (payload) => system.push(payload))
    const statuses = subscribe(channel)
    await until('it is subscribed', () => statuses.includes('SUBSCRIBED'))
    await client.setAuth(await tokenOf())
    await until('it is closed', () => statuses.at(-1) === 'CLOSED')
    expect(system).toContainEqual(
      expect.objectContaining({
        extension: 'system',
        status: 'error',
        channel: userTopic(alice),
        message: expect.any(String),
      }),
    )
    expect(client.isConnected()).toBe(true)
  })

  it('an expiring token ends the membership, and the client joins again with a newer one', async () => {
    const { client, statuses } = await subscribedForAMoment()
    await until('the token has run out', () => statuses.at(-1) === 'CHANNEL_ERROR')
    await client.setAuth(alice.token)
    await until('it is subscribed again', () => statuses.at(-1) === 'SUBSCRIBED')
  })
})

/** A client whose token expires soon after it has subscribed. On a busy machine that needs more than two seconds. */
async function subscribedForAMoment(): Promise<{ client: RealtimeClient; statuses: string[] }> {
  for (let ttlS = 2; ; ttlS *= 2) {
    const { token } = await harness.identity.createUser('user', { id: alice.id, ttlS })
    const client = realtime(token)
    const statuses = subscribe(client.channel(userTopic(alice)))
    await until('it is subscribed or refused', () => statuses.length > 0)
    if (statuses[0] === 'SUBSCRIBED') return { client, statuses }
    await client.disconnect()
  }
}

describe('joins', () => {
  it('tolerate unknown keys and wrong types', async () => {
    const client = await raw()
    const unusual = [
      {},
      { config: null },
      {
        config: { broadcast: 'x', presence: 7, postgres_changes: {}, private: 'no', future: [1] },
        version: 3,
      },
      { config: { broadcast: { ack: 'yes' }, presence: { key: 5, enabled: 1 } }, access_token: null },
      { access_token: '' },
    ]
    for (const payload of unusual)
      expect(await client.join('realtime:station', payload)).toMatchObject({
        status: 'ok',
        response: { postgres_changes: [] },
      })
  })

  it('get an empty presence_state on topics without presence', async () => {
    const client = await raw()
    await client.join('realtime:stream:default', { config: { presence: { enabled: true, key: '' } } })
    const state = await client.find(([, , , event]) => event === 'presence_state')
    expect(state[4]).toEqual({})
  })
})

describe('postgres_changes', () => {
  const watch = { event: 'INSERT', schema: 'public', table: 'live_chat_messages' } as const

  it('realtime-js receives inserts, cast by their column types', async () => {
    const received: Record<string, unknown>[] = []
    const [other, system]: unknown[][] = [[], []]
    const channel = realtime().channel('chat:default')
    channel.on('postgres_changes', { ...watch, filter: 'channel_id=eq.default' }, (change) =>
      received.push(change),
    )
    channel.on('postgres_changes', { ...watch, filter: 'channel_id=eq.test-card' }, (change) =>
      other?.push(change),
    )
    channel.on('system', {}, (payload) => system?.push(payload))
    await subscribed(channel)
    await until('the feed is live', () => system?.length === 1)
    expect(system).toEqual([
      {
        extension: 'postgres_changes',
        status: 'ok',
        message: 'Subscribed to PostgreSQL',
        channel: 'chat:default',
      },
    ])
    const posted = message()
    harness.publish('chat.message.posted.v1', { message: posted })
    await until('the insert is received', () => received.length === 1)
    expect(received[0]).toMatchObject({
      eventType: 'INSERT',
      schema: 'public',
      table: 'live_chat_messages',
      commit_timestamp: posted.createdAt,
      errors: null,
      new: {
        id: posted.id,
        channel_id: 'default',
        seq: 8,
        user_id: posted.userId,
        message: 'hello',
        is_deleted: false,
      },
      old: {},
    })
    expect(other).toEqual([])
  })

  it('reports removals as deletes, and messages that are shown again as inserts', async () => {
    const received: Record<string, unknown>[] = []
    const channel = realtime().channel('chat:default')
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'live_chat_messages' }, (change) =>
      received.push(change),
    )
    await subscribed(channel)
    const messageId = randomUUID()
    harness.publish('chat.message.removed.v1', { channelId: 'default', messageId, seq: 8 })
    await until('the delete is received', () => received.length === 1)
    expect(received[0]).toMatchObject({ eventType: 'DELETE', old: { id: messageId } })
    harness.publish('chat.message.restored.v1', { message: { ...message(), id: messageId } })
    await until('the insert is received', () => received.length === 2)
    expect(received[1]).toMatchObject({ eventType: 'INSERT', new: { id: messageId } })
  })

  it('of other tables are refused', async () => {
    const channel = realtime().channel('chat:default')
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'users' }, () => undefined)
    const statuses = subscribe(channel)
    await until('it is refused', () => statuses.includes('CHANNEL_ERROR'))
    expect(statuses).not.toContain('SUBSCRIBED')
  })
})

describe('broadcast', () => {
  it('reaches only the other members, as JSON', async () => {
    const received: Record<string, unknown[]> = { sender: [], tab: [], otherUser: [] }
    const listen = async (name: string, user: TestUser, vsn = '2.0.0') => {
      const channel = realtime(user.token, { vsn }).channel(userTopic(user))
      channel.on('broadcast', { event: 'hey' }, ({ payload }) => received[name]?.push(payload))
      return subscribed(channel)
    }
    const sender = await listen('sender', alice)
    await listen('tab', alice, '1.0.0')
    await listen('otherUser', await harness.identity.createUser())
    expect(await sender.send({ type: 'broadcast', event: 'hey', payload: { ü: '🎵' } })).toBe('ok')
    await until('the other tab has received it', () => received.tab?.length === 1)
    expect(received).toEqual({ sender: [], tab: [{ ü: '🎵' }], otherUser: [] })
  })

  it('of a version 1.0.0 client is sent as text', async () => {
    const received: unknown[] = []
    const tab = realtime(alice.token).channel(userTopic(alice))
    tab.on('broadcast', { event: '*' }, (payload) => received.push(payload))
    await subscribed(tab)
    const older = await subscribed(realtime(alice.token, { vsn: '1.0.0' }).channel(userTopic(alice)))
    await older.send({ type: 'broadcast', event: 'old', payload: { a: 1 } })
    await until('it is received', () => received.length === 1)
    expect(received).toEqual([{ type: 'broadcast', event: 'old', payload: { a: 1 } }])
  })

  it('with self is returned to the sender, and with ack is acknowledged', async () => {
    const received: unknown[] = []
    const config = { broadcast: { self: true, ack: true } }
    const channel = realtime(alice.token).channel(userTopic(alice), { config })
    channel.on('broadcast', { event: 'hey' }, ({ payload }) => received.push(payload))
    await subscribed(channel)
    expect(
      await channel.send({ type: 'broadcast', event: 'hey', payload: { n: 1 } }, { timeout: 30_000 }),
    ).toBe('ok')
    await until('it is returned', () => received.length === 1)
  })

  it('preserves bytes', async () => {
    const received: unknown[] = []
    const tab = realtime(alice.token).channel(userTopic(alice))
    tab.on('broadcast', { event: 'bytes' }, ({ payload }) => received.push(payload))
    await subscribed(tab)
    const sender = await subscribed(realtime(alice.token).channel(userTopic(alice)))
    const bytes = new Uint8Array([0, 1, 2, 253, 254, 255])
    await sender.send({ type: 'broadcast', event: 'bytes', payload: bytes.buffer })
    await until('the bytes are received', () => received.length === 1)
    expect(new Uint8Array(received[0] as ArrayBuffer)).toEqual(bytes)
  })

  it('of a viewer is refused, in the reply to ack', async () => {
    const channel = realtime().channel('chat:default', { config: { broadcast: { ack: true } } })
    await subscribed(channel)
    expect(await channel.send({ type: 'broadcast', event: 'message', payload: {} })).toBe('error')
  })

  it('of a viewer to the clock gets an answer', async () => {
    const answers: { sentAtMs: number; serverNowMs: number }[] = []
    const channel = realtime().channel('stream:default')
    channel.on('broadcast', { event: 'clock' }, ({ payload }) => answers.push(payload))
    await subscribed(channel)
    await channel.send({ type: 'broadcast', event: 'clock', payload: { sentAtMs: 42 } })
    await until('it is answered', () => answers.length === 1)
    expect(answers[0]).toMatchObject({ sentAtMs: 42, serverNowMs: expect.any(Number) })
  })
})

describe('presence', () => {
  type Metas = Record<string, { place?: string }[]>

  async function joinAsAdmin(
    key: string,
  ): Promise<{ channel: RealtimeChannel; state: () => Metas; log: string[] }> {
    const channel = realtime(admin.token).channel('admin', { config: { presence: { key, enabled: true } } })
    const log: string[] = []
    channel.on('presence', { event: 'join' }, ({ key: who }) => log.push(`+${who}`))
    channel.on('presence', { event: 'leave' }, ({ key: who }) => log.push(`-${who}`))
    await subscribed(channel)
    return { channel, log, state: () => channel.presenceState() as Metas }
  }

  it('shows members to later and to earlier members', async () => {
    const ann = await joinAsAdmin('ann')
    expect(await ann.channel.track({ place: 'library' })).toBe('ok')
    await until('ann sees herself', () => ann.state().ann?.[0]?.place === 'library')
    const ben = await joinAsAdmin('ben')
    await until('ben sees ann', () => ben.state().ann?.[0]?.place === 'library')
    await ben.channel.track({ place: 'guide' })
    await until('ann sees ben', () => ann.state().ben?.[0]?.place === 'guide')
    await ann.channel.track({ place: 'audit' })
    await until('ben sees the change', () => ben.state().ann?.[0]?.place === 'audit')
    expect(ben.state().ann).toHaveLength(1)
    await ann.channel.untrack()
    await until('ben sees ann untrack', () => ben.state().ann === undefined)
    await ann.channel.track({ place: 'back' })
    await until('ben sees ann again', () => ben.state().ann?.[0]?.place === 'back')
    await ann.channel.unsubscribe()
    await until('ben sees ann leave', () => ben.state().ann === undefined)
    expect(ben.log.at(-1)).toBe('-ann')
  })

  it('ends with the connection', async () => {
    const ben = await joinAsAdmin('ben')
    const other = await raw()
    const { joinRef } = await other.join('realtime:admin', {
      access_token: admin.token,
      config: { presence: { key: 'carl', enabled: true } },
    })
    other.send('realtime:admin', 'presence', { type: 'presence', event: 'track', payload: {} }, joinRef)
    await until('ben sees the member', () => ben.state().carl !== undefined)
    other.close()
    await until('ben sees the member leave', () => ben.state().carl === undefined)
  })

  it('without a key gets a generated one', async () => {
    const { channel, state } = await joinAsAdmin('')
    await channel.track({})
    await until('a member is present', () => Object.keys(state()).length === 1)
    expect(Object.keys(state())[0]).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the rules of the protocol', () => {
  it('hold for every frame that the clients of this file received', () => {
    expect(frames.length).toBeGreaterThan(50)
    for (const { text, version, joinRefs } of frames) {
      const parsed: unknown = JSON.parse(text)
      const toArray = (message: Record<string, unknown>): unknown[] => [
        message.join_ref,
        message.ref,
        message.topic,
        message.event,
        message.payload,
      ]
      const frame = version === '2.0.0' ? parsed : toArray(parsed as Record<string, unknown>)
      const [joinRef, ref, topic, event, payload] = frame as Message
      expect(payload, text).toBeTypeOf('object')
      expect(payload, text).not.toBeNull()
      expect(Array.isArray(payload), text).toBe(false)
      if (event !== 'postgres_changes') expect('ids' in payload, text).toBe(false)
      if (joinRef !== null) expect(joinRefs.has(joinRef), text).toBe(true)
      if (event === 'phx_reply')
        expect((payload as { response?: unknown }).response, text).toBeTypeOf('object')
      else if (event === 'phx_close' || event === 'phx_error') expect([null, joinRef], text).toContain(ref)
      else expect(ref, text).toBeNull()
      expect(topic, text).toBeTypeOf('string')
    }
  })
})

describe('closing', () => {
  it('by the gateway uses code 1012', async () => {
    const second = await startGatewayHarness()
    const socket = new RawClient(second.realtimeUrl)
    await socket.open()
    await second.close()
    expect((await socket.whenClosed()).code).toBe(1012)
  })

  it('of a connection makes the client join again and receive further pushes', async () => {
    const client = realtime(null, { reconnectAfterMs: () => 50 })
    const received: unknown[] = []
    const channel = client.channel('station')
    channel.on('broadcast', { event: 'home' }, () => received.push(1))
    const statuses = subscribe(channel)
    await until('it is subscribed', () => statuses.length === 1)
    harness.gateway.hub.stop()
    await until(
      'it is subscribed again',
      () => statuses.filter((status) => status === 'SUBSCRIBED').length === 2,
    )
    harness.publish('catalogue.home.changed.v1', {})
    await until('the push is received', () => received.length === 1)
    harness.gateway.hub.start()
  })
})
