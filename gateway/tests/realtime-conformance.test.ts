import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type Channel, Socket } from 'phoenix'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Message, RawClient, startStation, type TestStation } from './_util.ts'

/** The wire contract, row by row, with the clients as they come from the registry (§3–5). */
let station: TestStation
let alice: TestUser
let admin: TestUser
const endings: (() => unknown)[] = []
/** Every text frame any client of this file was sent: the rules of §3 hold for all of them. */
const frames: { joinRefs: ReadonlySet<string>; text: string; version: string }[] = []

beforeAll(async () => {
  station = await startStation({ RATE_LIMIT_FACTOR: '10' })
  alice = await station.identity.createUser()
  admin = await station.identity.createUser()
  station.publish('auth.role.changed.v1', { userId: admin.id, role: 'admin' })
})
afterAll(() => station.close())
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** Node's own WebSocket, writing down what comes and which join_refs went out. */
class TappedSocket extends WebSocket {
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
  const client = new RealtimeClient(station.realtimeUrl, {
    params: { apikey: 'looptide-public' },
    transport: TappedSocket as unknown as Options['transport'],
    ...options,
  })
  if (token !== null) void client.setAuth(token)
  endings.push(async () => client.disconnect())
  return client
}

/** Subscribes and keeps every status the app would see. */
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
  const client = new RawClient(station.realtimeUrl, query)
  endings.push(() => client.close())
  return client.open()
}

function phoenix(): Socket {
  const store = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  }
  const socket = new Socket(station.realtimeUrl, {
    transport: TappedSocket,
    params: { apikey: 'k' },
    sessionStorage,
    reconnectAfterMs: () => 100,
    rejoinAfterMs: () => 100,
  })
  socket.connect()
  endings.push(() => socket.disconnect())
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
  it.each(['1.0.0', '2.0.0'])('realtime-js subscribes and hears pushes in version %s', async (vsn) => {
    const heard: unknown[] = []
    const channel = realtime(null, { vsn }).channel('chat:default')
    channel.on('broadcast', { event: 'message' }, ({ payload }) => heard.push(payload))
    await subscribed(channel)
    const posted = message()
    station.publish('chat.message.posted.v1', { message: posted })
    await until('the message is heard', () => heard.length === 1)
    expect(heard).toEqual([{ message: posted }])
  })

  it('heartbeats are answered', async () => {
    const beats: string[] = []
    const client = realtime(null, {
      heartbeatIntervalMs: 60,
      heartbeatCallback: (status) => beats.push(status),
    })
    await subscribed(client.channel('station'))
    await until('two beats are answered', () => beats.filter((beat) => beat === 'ok').length >= 2)
    expect(beats).not.toContain('timeout')
    expect(beats).not.toContain('error')
  })

  it('a heartbeat needs no join', async () => {
    const client = await raw()
    const ref = client.send('phoenix', 'heartbeat')
    await client.reply(ref)
    expect(client.messages).toEqual([[null, ref, 'phoenix', 'phx_reply', { status: 'ok', response: {} }]])
  })

  it('plain phoenix joins, hears, asks and leaves', async () => {
    const channel = phoenix().channel('realtime:stream:default')
    const pushes: Record<string, unknown>[] = []
    channel.on('broadcast', (payload) => pushes.push(payload))
    expect(await joined(channel)).toEqual({ postgres_changes: [] })
    await until('the snapshot is there', () => pushes.some(({ event }) => event === 'snapshot'))
    channel.push('broadcast', { type: 'broadcast', event: 'clock', payload: { sentAtMs: 1 } })
    await until('the clock is told', () => pushes.some(({ event }) => event === 'clock'))
    let left = false
    channel.leave().receive('ok', () => {
      left = true
    })
    await until('it has left', () => left && channel.state === 'closed')
  })
})

describe('events', () => {
  it('phx_leave is answered, then phx_close with the join_ref as ref', async () => {
    const client = await raw()
    const { joinRef } = await client.join('realtime:station')
    const ref = client.send('realtime:station', 'phx_leave', {}, joinRef)
    await client.find(([, , , event]) => event === 'phx_close')
    expect(client.messages.slice(-2)).toEqual([
      [joinRef, ref, 'realtime:station', 'phx_reply', { status: 'ok', response: {} }],
      [joinRef, joinRef, 'realtime:station', 'phx_close', {}],
    ])
  })

  it('phx_leave of a topic not joined is answered ok, anything else with unmatched topic', async () => {
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
    station.publish('catalogue.home.changed.v1', {})
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
    expect(station.gateway.hub.viewersOf('default')).toBe(1)
  })
})

describe('tokens', () => {
  it('a private topic without one is refused, and joined by itself once the token is there', async () => {
    const client = realtime()
    const statuses = subscribe(client.channel(userTopic(alice), { config: { private: true } }))
    await until('it is refused', () => statuses.includes('CHANNEL_ERROR'))
    expect(client.isConnected()).toBe(true)
    await client.setAuth(alice.token)
    await until('it is in', () => statuses.includes('SUBSCRIBED'))
  })

  it('nobody joins the topic of another, nor that of the admins', async () => {
    const client = await raw()
    const bob = await station.identity.createUser()
    for (const topic of [`realtime:${userTopic(alice)}`, 'realtime:admin'])
      expect(await client.join(topic, { access_token: bob.token })).toMatchObject({
        status: 'error',
        response: { reason: expect.stringMatching(/^Unauthorized: /) },
      })
    expect(await client.join('realtime:admin', { access_token: admin.token })).toMatchObject({ status: 'ok' })
  })

  it('a forged one is refused on every topic, an expired one only where it is needed', async () => {
    const client = await raw()
    const [header, claims] = alice.token.split('.')
    const forged = `${header}.${claims}.${'A'.repeat(86)}`
    const late = await station.identity.createUser('user', { ttlS: -10 })
    for (const token of [forged, 'x', `${header}..`, 'a.b.c'])
      for (const topic of ['realtime:station', `realtime:${userTopic(alice)}`])
        expect((await client.join(topic, { access_token: token })).status).toBe('error')
    expect((await client.join(`realtime:${userTopic(late)}`, { access_token: late.token })).status).toBe(
      'error',
    )
    expect((await client.join('realtime:station', { access_token: late.token })).status).toBe('ok')
  })

  it('a fresher one is taken without a word, and so are the same and none', async () => {
    const client = await raw()
    const topic = `realtime:${userTopic(alice)}`
    const { joinRef } = await client.join(topic, { access_token: alice.token })
    const fresher = await station.identity.createUser('user', { id: alice.id })
    client.messages.length = 0
    for (const token of [fresher.token, fresher.token, null])
      client.send(topic, 'access_token', { access_token: token }, joinRef)
    await client.settled()
    expect(client.messages).toHaveLength(1)
  })

  it.each([
    ['a bad one', async () => 'not-a-token'],
    ["another person's", async () => (await station.identity.createUser()).token],
    [
      'an expired one',
      async () => (await station.identity.createUser('user', { id: alice.id, ttlS: -10 })).token,
    ],
  ])('%s shuts the channel down, and it stays so', async (_what, tokenOf) => {
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

  it('one that runs out ends the membership; the client is back by itself with a fresher one', async () => {
    const brief = await station.identity.createUser('user', { id: alice.id, ttlS: 2 })
    const client = realtime(brief.token)
    const statuses = subscribe(client.channel(userTopic(alice)))
    await until('it is subscribed', () => statuses.includes('SUBSCRIBED'))
    await until('the token has run out', () => statuses.at(-1) === 'CHANNEL_ERROR')
    await client.setAuth(alice.token)
    await until('it is back', () => statuses.at(-1) === 'SUBSCRIBED')
  })
})

describe('joins', () => {
  it('tolerate unknown keys and wrong types', async () => {
    const client = await raw()
    const odd = [
      {},
      { config: null },
      {
        config: { broadcast: 'x', presence: 7, postgres_changes: {}, private: 'no', future: [1] },
        version: 3,
      },
      { config: { broadcast: { ack: 'yes' }, presence: { key: 5, enabled: 1 } }, access_token: null },
      { access_token: '' },
    ]
    for (const payload of odd)
      expect(await client.join('realtime:station', payload)).toMatchObject({
        status: 'ok',
        response: { postgres_changes: [] },
      })
  })

  it('give an empty presence_state on topics that keep none', async () => {
    const client = await raw()
    await client.join('realtime:stream:default', { config: { presence: { enabled: true, key: '' } } })
    const state = await client.find(([, , , event]) => event === 'presence_state')
    expect(state[4]).toEqual({})
  })
})

describe('postgres_changes', () => {
  const watch = { event: 'INSERT', schema: 'public', table: 'live_chat_messages' } as const

  it('realtime-js hears inserts, cast by their columns', async () => {
    const heard: Record<string, unknown>[] = []
    const [other, system]: unknown[][] = [[], []]
    const channel = realtime().channel('chat:default')
    channel.on('postgres_changes', { ...watch, filter: 'channel_id=eq.default' }, (change) =>
      heard.push(change),
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
    station.publish('chat.message.posted.v1', { message: posted })
    await until('the insert is heard', () => heard.length === 1)
    expect(heard[0]).toMatchObject({
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

  it('hears removals as deletes', async () => {
    const heard: Record<string, unknown>[] = []
    const channel = realtime().channel('chat:default')
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'live_chat_messages' }, (change) =>
      heard.push(change),
    )
    await subscribed(channel)
    const messageId = randomUUID()
    station.publish('chat.message.removed.v1', { channelId: 'default', messageId, seq: 8 })
    await until('the delete is heard', () => heard.length === 1)
    expect(heard[0]).toMatchObject({ eventType: 'DELETE', old: { id: messageId } })
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
  it('goes to the other members only, as JSON', async () => {
    const heard: Record<string, unknown[]> = { sender: [], tab: [], stranger: [] }
    const listen = async (name: string, person: TestUser, vsn = '2.0.0') => {
      const channel = realtime(person.token, { vsn }).channel(userTopic(person))
      channel.on('broadcast', { event: 'hey' }, ({ payload }) => heard[name]?.push(payload))
      return subscribed(channel)
    }
    const sender = await listen('sender', alice)
    await listen('tab', alice, '1.0.0')
    await listen('stranger', await station.identity.createUser())
    expect(await sender.send({ type: 'broadcast', event: 'hey', payload: { ü: '🎵' } })).toBe('ok')
    await until('the other tab heard', () => heard.tab?.length === 1)
    expect(heard).toEqual({ sender: [], tab: [{ ü: '🎵' }], stranger: [] })
  })

  it('from an older client goes as text', async () => {
    const heard: unknown[] = []
    const tab = realtime(alice.token).channel(userTopic(alice))
    tab.on('broadcast', { event: '*' }, (payload) => heard.push(payload))
    await subscribed(tab)
    const older = await subscribed(realtime(alice.token, { vsn: '1.0.0' }).channel(userTopic(alice)))
    await older.send({ type: 'broadcast', event: 'old', payload: { a: 1 } })
    await until('it is heard', () => heard.length === 1)
    expect(heard).toEqual([{ type: 'broadcast', event: 'old', payload: { a: 1 } }])
  })

  it('with self comes back, with ack is acknowledged', async () => {
    const heard: unknown[] = []
    const config = { broadcast: { self: true, ack: true } }
    const channel = realtime(alice.token).channel(userTopic(alice), { config })
    channel.on('broadcast', { event: 'hey' }, ({ payload }) => heard.push(payload))
    await subscribed(channel)
    expect(
      await channel.send({ type: 'broadcast', event: 'hey', payload: { n: 1 } }, { timeout: 2000 }),
    ).toBe('ok')
    await until('it came back', () => heard.length === 1)
  })

  it('of bytes arrives byte for byte', async () => {
    const heard: unknown[] = []
    const tab = realtime(alice.token).channel(userTopic(alice))
    tab.on('broadcast', { event: 'bytes' }, ({ payload }) => heard.push(payload))
    await subscribed(tab)
    const sender = await subscribed(realtime(alice.token).channel(userTopic(alice)))
    const bytes = new Uint8Array([0, 1, 2, 253, 254, 255])
    await sender.send({ type: 'broadcast', event: 'bytes', payload: bytes.buffer })
    await until('they are there', () => heard.length === 1)
    expect(new Uint8Array(heard[0] as ArrayBuffer)).toEqual(bytes)
  })

  it('of viewers is refused, told by ack', async () => {
    const channel = realtime().channel('chat:default', { config: { broadcast: { ack: true } } })
    await subscribed(channel)
    expect(await channel.send({ type: 'broadcast', event: 'message', payload: {} })).toBe('error')
  })

  it('of a viewer to the clock is answered', async () => {
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

  async function desk(key: string): Promise<{ channel: RealtimeChannel; state: () => Metas; log: string[] }> {
    const channel = realtime(admin.token).channel('admin', { config: { presence: { key, enabled: true } } })
    const log: string[] = []
    channel.on('presence', { event: 'join' }, ({ key: who }) => log.push(`+${who}`))
    channel.on('presence', { event: 'leave' }, ({ key: who }) => log.push(`-${who}`))
    await subscribed(channel)
    return { channel, log, state: () => channel.presenceState() as Metas }
  }

  it('tells who is there, to those who come later and to those who were there', async () => {
    const ann = await desk('ann')
    expect(await ann.channel.track({ place: 'library' })).toBe('ok')
    await until('ann sees herself', () => ann.state().ann?.[0]?.place === 'library')
    const ben = await desk('ben')
    await until('ben sees ann', () => ben.state().ann?.[0]?.place === 'library')
    await ben.channel.track({ place: 'guide' })
    await until('ann sees ben', () => ann.state().ben?.[0]?.place === 'guide')
    await ann.channel.track({ place: 'audit' })
    await until('ben sees the change', () => ben.state().ann?.[0]?.place === 'audit')
    expect(ben.state().ann).toHaveLength(1)
    await ann.channel.untrack()
    await until('ben sees ann go', () => ben.state().ann === undefined)
    await ann.channel.track({ place: 'back' })
    await until('ben sees ann again', () => ben.state().ann?.[0]?.place === 'back')
    await ann.channel.unsubscribe()
    await until('ben sees ann leave', () => ben.state().ann === undefined)
    expect(ben.log.at(-1)).toBe('-ann')
  })

  it('ends with the connection', async () => {
    const ben = await desk('ben')
    const gone = await raw()
    const { joinRef } = await gone.join('realtime:admin', {
      access_token: admin.token,
      config: { presence: { key: 'gone', enabled: true } },
    })
    gone.send('realtime:admin', 'presence', { type: 'presence', event: 'track', payload: {} }, joinRef)
    await until('ben sees it', () => ben.state().gone !== undefined)
    gone.close()
    await until('ben sees it go', () => ben.state().gone === undefined)
  })

  it('without a key invents one', async () => {
    const { channel, state } = await desk('')
    await channel.track({})
    await until('somebody is there', () => Object.keys(state()).length === 1)
    expect(Object.keys(state())[0]).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the rules for every frame', () => {
  it('hold for all that the clients of this file were sent', () => {
    expect(frames.length).toBeGreaterThan(50)
    for (const { text, version, joinRefs } of frames) {
      const parsed: unknown = JSON.parse(text)
      const asMessage = (it: Record<string, unknown>): unknown[] => [
        it.join_ref,
        it.ref,
        it.topic,
        it.event,
        it.payload,
      ]
      const frame = version === '2.0.0' ? parsed : asMessage(parsed as Record<string, unknown>)
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

describe('the end', () => {
  it('of the gateway closes with 1012, and clients come back to the next one', async () => {
    const second = await startStation()
    const socket = new RawClient(second.realtimeUrl)
    await socket.open()
    await second.close()
    expect((await socket.whenClosed()).code).toBe(1012)
  })

  it('of a connection is mended by the client, which joins again and hears on', async () => {
    const client = realtime(null, { reconnectAfterMs: () => 50 })
    const heard: unknown[] = []
    const channel = client.channel('station')
    channel.on('broadcast', { event: 'home' }, () => heard.push(1))
    const statuses = subscribe(channel)
    await until('it is subscribed', () => statuses.length === 1)
    station.gateway.hub.stop()
    await until(
      'it is subscribed again',
      () => statuses.filter((status) => status === 'SUBSCRIBED').length === 2,
    )
    station.publish('catalogue.home.changed.v1', {})
    await until('it hears on', () => heard.length === 1)
    station.gateway.hub.start()
  })
})
