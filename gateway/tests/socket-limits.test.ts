import { connect } from 'node:net'
import type { TestUser } from '@looptide/testkit/identity'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { RawClient, startStation, type TestStation } from './_util.ts'

const KIB = 1024
let station: TestStation
const clients: RawClient[] = []

beforeAll(async () => {
  station = await startStation()
})
afterAll(() => station.close())
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function open(): Promise<RawClient> {
  const client = new RawClient(station.realtimeUrl)
  clients.push(client)
  return client.open()
}

/** A socket on its person's own topic. */
async function onOwnTopic(person: TestUser): Promise<RawClient & { topic: string; joinRef: string }> {
  const client = await open()
  const topic = `realtime:user:${person.id}`
  const { status, joinRef } = await client.join(topic, { access_token: person.token })
  expect(status).toBe('ok')
  return Object.assign(client, { topic, joinRef })
}

const beatOf = (bytes: number) => ({ text: 'x'.repeat(bytes) })
const said = (bytes: number) => ({ type: 'broadcast', event: 'x', payload: beatOf(bytes) })

/** Sends bytes by hand after the handshake; answers the code of the close frame. */
function closeCodeAfter(bytes: Buffer): Promise<number> {
  const { hostname, port } = new URL(station.gateway.url)
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

/** The head of a masked text frame that announces `length` bytes. */
function headOf(length: number): Buffer {
  const head = Buffer.alloc(14)
  head.set([0x81, 0x80 | 127])
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

describe('a socket without a private topic', () => {
  it('is closed by a message of more than 16 KiB', async () => {
    const client = await open()
    await client.join('realtime:chat:default')
    client.send('phoenix', 'heartbeat', beatOf(15 * KIB))
    await client.settled()
    client.send('phoenix', 'heartbeat', beatOf(16 * KIB))
    expect(await client.whenClosed()).toEqual({ code: 1009, reason: 'The message is too large.' })
  })

  it('is closed by a message that is too large long before all of it has come', async () => {
    expect(await closeCodeAfter(Buffer.concat([headOf(200 * KIB), Buffer.alloc(20 * KIB)]))).toBe(1009)
  })

  it('is closed by a message of many small frames without an end', async () => {
    const piece = Buffer.concat([Buffer.from([0x00, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100)])
    const first = Buffer.concat([Buffer.from([0x01, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100)])
    const frames = Buffer.concat([first, ...Array.from({ length: 400 }, () => piece)])
    expect([1008, 1009]).toContain(await closeCodeAfter(frames))
  })

  it('is closed when its messages together are more than 256 KiB at once', async () => {
    const client = await open()
    for (let n = 0; n < 30; n += 1) client.send('phoenix', 'heartbeat', beatOf(12 * KIB))
    expect((await client.whenClosed()).code).toBe(4029)
    expect(client.messages.length).toBeLessThan(30)
  })

  it('is closed when it floods with pings, which count as messages', async () => {
    const client = await open()
    let pongs = 0
    client.socket.on('pong', () => {
      pongs += 1
    })
    for (let sent = 0; client.closed === null; sent += 40) {
      for (let n = 0; n < 40; n += 1) client.socket.ping()
      await until('they are answered', () => pongs === sent + 40 || client.closed !== null)
    }
    expect(client.closed.code).toBe(4029)
  })

  it('has messages of more than a thousand values dropped unparsed, and is closed after thirty', async () => {
    const client = await open()
    const ref = client.send('phoenix', 'heartbeat', { list: Array(1100).fill(1) })
    await client.settled()
    expect(client.messages.some((message) => message[1] === ref)).toBe(false)
    for (let n = 0; n < 40; n += 1) client.send('phoenix', 'heartbeat', { list: Array(1100).fill(1) })
    expect((await client.whenClosed()).code).toBe(4029)
  })

  it('is handled no further once it is closed, whatever else it has sent', async () => {
    const client = await open()
    const nested = `[null,"1","phoenix","heartbeat",{"a":[${Array(20_000).fill('[[[[[]]]]]').join(',')}]}]`
    for (let n = 0; n < 50; n += 1) client.socket.send(nested)
    for (let n = 0; n < 5; n += 1) client.send('phoenix', 'heartbeat')
    expect((await client.whenClosed()).code).toBe(1009)
    expect(client.messages).toEqual([])
  })

  it('may join a hundred topics at once, each with its token', async () => {
    const { token } = await station.identity.createUser()
    const client = await open()
    const state = station.channels.get('default')!
    const ids = Array.from({ length: 100 }, (_, n) => `many${n}`)
    for (const id of ids) station.channels.set(id, { ...state, channelId: id, programmes: [] })
    const refs = ids.map((id) => client.send(`realtime:stream:${id}`, 'phx_join', { access_token: token }))
    for (const ref of refs) expect((await client.reply(ref)).status).toBe('ok')
  })
})

describe('a socket with a private topic', () => {
  it('may send 200 KiB, and no more after it has left the topic', async () => {
    const client = await onOwnTopic(await station.identity.createUser())
    client.send('phoenix', 'heartbeat', beatOf(200 * KIB))
    await client.settled()
    expect(client.closed).toBeNull()
    await client.reply(client.send(client.topic, 'phx_leave', {}, client.joinRef))
    client.send('phoenix', 'heartbeat', beatOf(17 * KIB))
    expect((await client.whenClosed()).code).toBe(1009)
  })

  it('is closed by a message of more than 256 KiB', async () => {
    const client = await onOwnTopic(await station.identity.createUser())
    client.send(client.topic, 'broadcast', said(256 * KIB), client.joinRef)
    expect((await client.whenClosed()).code).toBe(1009)
  })

  it('is closed when it broadcasts more than its budget, of which the others had the first part', async () => {
    const person = await station.identity.createUser()
    const [speaker, listener] = [await onOwnTopic(person), await onOwnTopic(person)]
    for (let n = 0; n < 10; n += 1) speaker.send(speaker.topic, 'broadcast', said(100 * KIB), speaker.joinRef)
    expect((await speaker.whenClosed()).code).toBe(4029)
    await listener.settled()
    const heard = listener.messages.filter((message) => message[3] === 'broadcast').length
    expect(heard).toBeGreaterThan(2)
    expect(heard).toBeLessThan(8)
  })

  it('is refused, not closed, when its topic’s members together broadcast too much', async () => {
    const person = await station.identity.createUser()
    const members = await Promise.all(Array.from({ length: 30 }, () => onOwnTopic(person)))
    const refused = (): number =>
      members
        .flatMap(({ messages }) => messages)
        .filter((message) => JSON.stringify(message[4]).includes('too much is said')).length
    for (const member of members.slice(0, 6))
      member.send(member.topic, 'broadcast', said(100 * KIB), member.joinRef)
    await until('some are refused', () => refused() > 0)
    for (const member of members) expect(member.closed).toBeNull()
    const figures = await (await fetch(`${station.gateway.metricsUrl}/metrics`)).text()
    expect(figures).toMatch(/looptide_broadcasts_dropped_total\{[^}]*kind="user"[^}]*\} [1-9]/)
  })
})
