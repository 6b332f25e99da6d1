import { connect } from 'node:net'
import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, nowState, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

const KIB = 1024
let harness: GatewayHarness
const clients: RawClient[] = []

beforeAll(async () => {
  harness = await startGatewayHarness({ TRUST_PROXY: '1', MAX_SOCKETS_PER_NETWORK: '80' })
})
afterAll(() => harness.close())
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function open(forwardedFor = '192.0.2.1'): Promise<RawClient> {
  const client = new RawClient(harness.realtimeUrl, undefined, { forwardedFor })
  clients.push(client)
  return client.open()
}

/** A socket that has joined its user's topic. */
async function joinOwnTopic(
  user: TestUser,
  forwardedFor?: string,
): Promise<RawClient & { topic: string; joinRef: string }> {
  const client = await open(forwardedFor)
  const topic = `realtime:user:${user.id}`
  const { status, joinRef } = await client.join(topic, { access_token: user.token })
  expect(status).toBe('ok')
  return Object.assign(client, { topic, joinRef })
}

const payloadOf = (bytes: number) => ({ text: 'x'.repeat(bytes) })
const broadcastOf = (bytes: number) => ({ type: 'broadcast', event: 'x', payload: payloadOf(bytes) })

/** Sends raw bytes after the handshake and returns the code of the close frame. */
function closeCodeAfter(bytes: Buffer): Promise<number> {
  const { hostname, port } = new URL(harness.gateway.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET /realtime/v1/websocket?apikey=k&vsn=2.0.0 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      ),
    )
    let received = Buffer.alloc(0)
    socket.once('data', () => socket.write(bytes))
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received.readUInt16BE(received.lastIndexOf(0x88) + 2)))
  })
}

/** The header of a masked text frame with a payload of `length` bytes. */
function headerOf(length: number): Buffer {
  const header = Buffer.alloc(14)
  header.set([0x81, 0x80 | 127])
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}

describe('a socket without a private topic', () => {
  it('is closed by a message of more than 16 KiB', async () => {
    const client = await open()
    await client.join('realtime:chat:default')
    client.send('phoenix', 'heartbeat', payloadOf(15 * KIB))
    await client.settled()
    client.send('phoenix', 'heartbeat', payloadOf(16 * KIB))
    expect(await client.whenClosed()).toEqual({ code: 1009, reason: 'The message is too large.' })
  })

  it('is closed by a message that is too large before all of it has arrived', async () => {
    expect(await closeCodeAfter(Buffer.concat([headerOf(200 * KIB), Buffer.alloc(20 * KIB)]))).toBe(1009)
  })

  it('is closed by an endless message of many small frames', async () => {
    const piece = Buffer.concat([Buffer.from([0x00, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100)])
    const first = Buffer.concat([Buffer.from([0x01, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100)])
    const frames = Buffer.concat([first, ...Array.from({ length: 400 }, () => piece)])
    expect([1008, 1009]).toContain(await closeCodeAfter(frames))
  })

  it('is closed by messages of more than 256 KiB in total at once', async () => {
    const client = await open()
    for (let n = 0; n < 30; n += 1) client.send('phoenix', 'heartbeat', payloadOf(12 * KIB))
    expect((await client.whenClosed()).code).toBe(4029)
    expect(client.messages.length).toBeLessThan(30)
  })

  it('is closed by a flood of pings, which count as messages', async () => {
    const client = await open()
    let pongs = 0
    client.socket.on('pong', () => {
      pongs += 1
    })
    for (let sent = 0; client.closed === null; sent += 40) {
      for (let n = 0; n < 40; n += 1) client.socket.ping()
      await until('the pings are answered', () => pongs === sent + 40 || client.closed !== null)
    }
    expect(client.closed.code).toBe(4029)
  })

  it('gets messages of more than a thousand values dropped unparsed, and is closed after thirty of them', async () => {
    const client = await open()
    const ref = client.send('phoenix', 'heartbeat', { list: Array(1100).fill(1) })
    await client.settled()
    expect(client.messages.some((message) => message[1] === ref)).toBe(false)
    for (let n = 0; n < 40; n += 1) client.send('phoenix', 'heartbeat', { list: Array(1100).fill(1) })
    expect((await client.whenClosed()).code).toBe(4029)
  })

  it('gets no further messages handled once it is closed', async () => {
    const client = await open()
    const nested = `[null,"1","phoenix","heartbeat",{"a":[${Array(20_000).fill('[[[[[]]]]]').join(',')}]}]`
    for (let n = 0; n < 50; n += 1) client.socket.send(nested)
    for (let n = 0; n < 5; n += 1) client.send('phoenix', 'heartbeat')
    expect((await client.whenClosed()).code).toBe(1009)
    expect(client.messages).toEqual([])
  })

  it('may join a hundred topics at once, each with its token', async () => {
    const { token } = await harness.identity.createUser()
    const client = await open()
    const state = harness.channels.get('default')!
    const ids = Array.from({ length: 100 }, (_, n) => `many${n}`)
    for (const id of ids) harness.channels.set(id, { ...state, channelId: id, programmes: [] })
    const refs = ids.map((id) => client.send(`realtime:stream:${id}`, 'phx_join', { access_token: token }))
    for (const ref of refs) expect((await client.reply(ref)).status).toBe('ok')
  })
})

describe('what a socket makes the station send', () => {
  const STREAM = 'realtime:stream:default'
  const MIB = 1_048_576

  /** The snapshots that a client received: how many, and how many of them with programmes. */
  function snapshotsOf(client: RawClient): { count: number; full: number } {
    const snapshots = client.messages.filter(
      ([, , , event, payload]) => event === 'broadcast' && payload.event === 'snapshot',
    )
    const full = snapshots.filter(([, , , , { payload }]) => Object.hasOwn(payload as object, 'programmes'))
    return { count: snapshots.length, full: full.length }
  }

  /** Adds twenty channels with programmes of about 350 kB, and returns the topics of their streams. */
  function addChannels(): string[] {
    const ids = Array.from({ length: 20 }, (_, n) => `full${n}`)
    const state = nowState('default')
    const programmes = Array.from({ length: 5 }, () => state.programmes).flat()
    for (const id of ids) harness.channels.set(id, { ...state, channelId: id, programmes })
    return ids.map((id) => `realtime:stream:${id}`)
  }

  /** Joins topics at once on a new socket, and returns how many snapshots had programmes, and their bytes. */
  async function drawAll(topics: readonly string[], from: string): Promise<{ full: number; bytes: number }> {
    const client = await open(from)
    let bytes = 0
    client.socket.on('message', (data: Buffer) => {
      bytes += data.length
    })
    for (const topic of topics) expect((await client.join(topic)).status).toBe('ok')
    await client.settled()
    expect(client.closed).toBeNull()
    return { full: snapshotsOf(client).full, bytes }
  }

  it('is the version alone for repeated joins of an unchanged topic, also after it has left', async () => {
    const client = await open()
    let bytes = 0
    client.socket.on('message', (data: Buffer) => {
      bytes += data.length
    })
    await client.join(STREAM)
    const first = bytes
    for (let n = 0; n < 200; n += 1) {
      if (n % 5 === 0) client.send(STREAM, 'phx_leave')
      client.send(STREAM, 'phx_join')
    }
    await client.settled()
    expect(snapshotsOf(client)).toEqual({ count: 201, full: 1 })
    expect(
      client.messages.findLast(([, , , , { event }]) => event === 'snapshot')?.[4].payload,
    ).toMatchObject({
      channelId: 'default',
      status: 'live',
      timelineVersion: 1,
      serverNowMs: expect.any(Number),
      viewers: expect.any(Number),
    })
    expect(bytes - first).toBeLessThan(200 * 600)
    const changed = nowState('default', { timelineVersion: 2 })
    harness.channels.set('default', changed)
    harness.publish('stream.timeline.changed.v1', { channelId: 'default', timelineVersion: 2, fromSeq: 1 })
    await client.broadcast(STREAM, 'now')
    await client.join(STREAM)
    expect(snapshotsOf(client)).toEqual({ count: 202, full: 2 })
  })

  it('is limited for each socket, which then gets versions alone', async () => {
    const topics = addChannels()
    // The repeated joins draw small answers alone, which do not close the socket.
    const { full, bytes } = await drawAll(Array.from({ length: 10 }, () => topics).flat(), '192.0.2.10')
    expect(full).toBeGreaterThan(8)
    expect(bytes).toBeLessThan(5 * MIB)
  })

  it('is limited for each network, and no limit of another one', async () => {
    const topics = addChannels()
    const startedAtMs = performance.now()
    let bytes = 0
    for (let n = 0; n < 5; n += 1) bytes += (await drawAll(topics, '192.0.2.20')).bytes
    const elapsedS = (performance.now() - startedAtMs) / 1000
    // 80 sockets may have 160 KiB each at once, and again in 16 s.
    expect(bytes).toBeGreaterThan(10 * MIB)
    expect(bytes).toBeLessThan((12.6 + 0.8 * elapsedS) * MIB)
    expect((await drawAll(topics.slice(0, 1), '192.0.2.21')).full).toBe(1)
  })

  it('includes the copies of its broadcasts', async () => {
    const user = await harness.identity.createUser()
    const members = await Promise.all(Array.from({ length: 25 }, () => joinOwnTopic(user, '192.0.2.30')))
    const [sender] = members
    const refs: string[] = []
    // Each message of 190 KiB is sent to 25 sockets: the second exceeds the 8 MiB of the sender.
    for (let n = 0; n < 2; n += 1) {
      refs.push(sender!.send(sender!.topic, 'broadcast', broadcastOf(190 * KIB), sender!.joinRef))
    }
    expect(await sender!.reply(refs[1]!)).toMatchObject({
      status: 'error',
      response: { reason: 'rate limit of this connection or network reached' },
    })
  })
})

describe('a socket with a private topic', () => {
  it('may send 200 KiB, but not after it has left the topic', async () => {
    const client = await joinOwnTopic(await harness.identity.createUser())
    client.send('phoenix', 'heartbeat', payloadOf(200 * KIB))
    await client.settled()
    expect(client.closed).toBeNull()
    await client.reply(client.send(client.topic, 'phx_leave', {}, client.joinRef))
    client.send('phoenix', 'heartbeat', payloadOf(17 * KIB))
    expect((await client.whenClosed()).code).toBe(1009)
  })

  it('is closed by a message of more than 256 KiB', async () => {
    const client = await joinOwnTopic(await harness.identity.createUser())
    client.send(client.topic, 'broadcast', broadcastOf(256 * KIB), client.joinRef)
    expect((await client.whenClosed()).code).toBe(1009)
  })

  it('is closed above its broadcast budget, after broadcasts within it were relayed', async () => {
    const user = await harness.identity.createUser()
    const [sender, listener] = [await joinOwnTopic(user), await joinOwnTopic(user)]
    for (let n = 0; n < 10; n += 1)
      sender.send(sender.topic, 'broadcast', broadcastOf(100 * KIB), sender.joinRef)
    expect((await sender.whenClosed()).code).toBe(4029)
    await listener.settled()
    const received = listener.messages.filter((message) => message[3] === 'broadcast').length
    expect(received).toBeGreaterThan(2)
    expect(received).toBeLessThan(8)
  })

  it('gets broadcasts refused, and stays open, above the limit of its topic', async () => {
    const user = await harness.identity.createUser()
    const members = await Promise.all(Array.from({ length: 30 }, () => joinOwnTopic(user, '192.0.2.31')))
    const refused = (): number =>
      members
        .flatMap(({ messages }) => messages)
        .filter((message) => JSON.stringify(message[4]).includes('rate limit of this topic')).length
    for (const member of members.slice(0, 6))
      member.send(member.topic, 'broadcast', broadcastOf(100 * KIB), member.joinRef)
    await until('some are refused', () => refused() > 0)
    for (const member of members) expect(member.closed).toBeNull()
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(/looptide_broadcasts_dropped_total\{[^}]*kind="user"[^}]*\} [1-9]/)
  })
})
