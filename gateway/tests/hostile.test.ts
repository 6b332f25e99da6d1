import { connect } from 'node:net'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness
const clients: RawClient[] = []

beforeAll(async () => {
  harness = await startGatewayHarness()
})
afterAll(() => harness.close())
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  // The gateway must still accept clients.
  const client = new RawClient(harness.realtimeUrl)
  await client.open()
  expect(await client.join('realtime:stream:default')).toMatchObject({ status: 'ok' })
  client.close()
})

async function open(query?: string): Promise<RawClient> {
  const client = new RawClient(harness.realtimeUrl, query)
  clients.push(client)
  return client.open()
}

/** A masked client frame (RFC 6455 §5.2), which may be invalid. */
function maskedFrame(first: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/** Upgrades over TCP and then sends bytes. Resolves when the server has closed the connection. */
function sendBytes(bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(harness.gateway.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `GET /realtime/v1/websocket?apikey=k&vsn=2.0.0 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      )
    })
    socket.once('data', () => socket.write(bytes))
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

describe('malformed frames', () => {
  it('are dropped, and the socket stays open', async () => {
    const client = await open()
    for (const text of ['', 'x', 'null', '[]', '{}', '[null,null,null,null,null]', '[1,2,3,4,5]'])
      client.socket.send(text)
    client.socket.send(Buffer.from([3, 255, 255, 255, 255, 255, 1]))
    client.socket.send(Buffer.alloc(0))
    client.socket.send(Buffer.from([0, 1, 2, 3]))
    await client.settled()
    expect(client.closed).toBeNull()
    expect(client.messages).toHaveLength(1)
  })

  it('close the socket after many', async () => {
    const client = await open()
    for (let n = 0; n < 100; n += 1) client.socket.send('nonsense')
    expect((await client.whenClosed()).code).toBe(4029)
  })

  it.each([
    ['a reserved opcode', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ['a reserved bit', Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
    ['no mask', Buffer.from([0x81, 0x01, 0x61])],
    ['text that is not UTF-8', maskedFrame(0x81, Buffer.from([0xff, 0xfe]))],
    ['a control frame in pieces', maskedFrame(0x09, Buffer.from('ping'))],
    [
      'a length of nine exabytes',
      Buffer.from([0x82, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]),
    ],
    ['a close frame of one byte', maskedFrame(0x88, Buffer.from([1]))],
  ])('with %s close that socket', async (_what, bytes) => {
    await sendBytes(bytes)
  })

  it('larger than a megabyte close the socket with 1009', async () => {
    const client = await open()
    client.socket.send('x'.repeat(1_048_577))
    expect((await client.whenClosed()).code).toBe(1009)
  })

  it('of any kind never stop the gateway', async () => {
    const part = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        'phx_join',
        'phx_leave',
        'broadcast',
        'presence',
        'access_token',
        'heartbeat',
        '__proto__',
        'toString',
      ),
      fc.constantFrom('realtime:stream:default', 'realtime:admin', 'phoenix', 'realtime:chat:default'),
      fc.constantFrom(
        { config: { postgres_changes: [{ event: '*' }] } },
        { config: 7 },
        { access_token: {} },
      ),
    )
    const frames = fc.oneof(
      fc.array(part, { minLength: 5, maxLength: 5 }).map((parts) => JSON.stringify(parts)),
      fc
        .record({ topic: part, event: part, payload: part, ref: part, join_ref: part })
        .map((frame) => JSON.stringify(frame)),
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from([3, ...bytes])),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(frames, { maxLength: 25 }),
        fc.constantFrom('1.0.0', '2.0.0'),
        async (batch, vsn) => {
          const client = await open(`apikey=k&vsn=${vsn}`)
          for (const frame of batch) client.socket.send(frame)
          const heartbeat = { topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'end', join_ref: null }
          client.socket.send(
            JSON.stringify(
              vsn === '2.0.0' ? Object.values([null, 'end', 'phoenix', 'heartbeat', {}]) : heartbeat,
            ),
          )
          await until(
            'the socket answers or closes',
            () => client.closed !== null || JSON.stringify(client.messages).includes('"end"'),
          )
          client.close()
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('excessive use', () => {
  it('is refused above a hundred topics', async () => {
    const client = await open()
    const topics = Array.from({ length: 99 }, (_, n) => `realtime:stream:c${n}`)
    for (const topic of topics)
      harness.channels.set(topic.slice(16), {
        ...harness.channels.get('default')!,
        channelId: topic.slice(16),
        programmes: [],
      })
    for (const topic of topics) expect((await client.join(topic)).status).toBe('ok')
    expect((await client.join('realtime:station')).status).toBe('ok')
    expect(await client.join('realtime:stream:default')).toMatchObject({
      status: 'error',
      response: { reason: expect.stringContaining('too many') },
    })
    expect((await client.join('realtime:station')).status).toBe('ok')
  })

  it('closes the socket above the message rate', async () => {
    const client = await open()
    for (let n = 0; n < 1000; n += 1) client.send('phoenix', 'heartbeat')
    expect((await client.whenClosed()).code).toBe(4029)
  })

  it('closes only the socket that does not read', async () => {
    const [slow, quick] = [await open(), await open()]
    await slow.join('realtime:chat:default')
    await quick.join('realtime:chat:default')
    slow.socket.pause()
    const message = 'x'.repeat(60_000)
    await until('the slow socket is closed', () => {
      harness.gateway.hub.publish('chat:default', 'message', { message })
      return harness.gateway.hub.size === 1
    })
    expect(quick.closed).toBeNull()
    expect(await quick.join('realtime:station')).toMatchObject({ status: 'ok' })
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(/looptide_sockets_closed_total\{[^}]*reason="slow"[^}]*\} 1/)
  })
})
