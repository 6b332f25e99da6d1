import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROXY_ROUTES } from '../src/http/proxy-routes.ts'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

const KIB = 1024
const MIB = 1024 * KIB
let harness: GatewayHarness
/** Connections that are slow from the start, while all other tests run. */
let slow: Record<'writers' | 'readers' | 'pipelined', SlowConnection[]>

beforeAll(async () => {
  // A quarter of every limit: 1 MiB of incomplete messages for each network.
  harness = await startGatewayHarness({
    TRUST_PROXY: '1',
    RATE_LIMIT_FACTOR: '0.25',
    MAX_SOCKETS_PER_NETWORK: '1000',
  })
  for (const service of SERVICES)
    harness[service].respond = ({ url = '' }) => ({
      status: 200,
      body: { text: url.includes('large') ? 'x'.repeat(LARGE_BYTES) : '' },
    })
  const { respond } = harness.scheduler
  const compressed = gzipSync('x'.repeat(LARGE_BYTES))
  harness.scheduler.respond = (request, body) =>
    request.url === '/api/guide.xml'
      ? { status: 200, body: compressed, headers: { 'content-encoding': 'gzip' } }
      : respond(request, body)
  slow = {
    writers: [
      ...Array.from({ length: 70 }, () => new SlowConnection(halfSent('/api/playlists'))),
      ...WRITABLE.map((path) => new SlowConnection(halfSent(path))),
    ],
    readers: [
      new SlowConnection(get('/api/submissions/large/early')),
      new SlowConnection(get('/api/guide.xml')),
    ],
    pipelined: READABLE.map((path) => new SlowConnection(get(path).repeat(10))),
  }
})
afterAll(async () => {
  for (const connection of Object.values(slow).flat()) connection.destroy()
  await harness.close()
})

/**
 * More than the buffers of two connections in the system, which take up to 4 MiB each. Four such answers are less than the
 * gateway holds for all networks, and the rests of three are more than it holds for one.
 */
const LARGE_BYTES = 15 * MIB
const SERVICES = ['catalogue', 'chat', 'admin'] as const
/** Every prefix of the services, and the gateway's own routes that have a body. */
const WRITABLE = [
  ...PROXY_ROUTES.map(({ prefix }) => `${prefix}/x`),
  ...['/api/csp-reports', '/realtime/v1/api/broadcast', '/no-such-route'],
]
/** Every prefix of the services, and every kind of answer that the gateway makes itself. */
const READABLE = [
  ...PROXY_ROUTES.map(({ prefix }) => prefix),
  ...['/', '/live', '/docs/json', '/robots.txt', '/sitemap.xml', '/manifest.webmanifest'],
  ...['/api/config', '/api/health', '/api/viewers', '/api/channels/default/now', '/test-card/a.mp4'],
  ...['/assets/app-abc123.js', '/no-such-route'],
]

let nextNetwork = 0
/** A request from a network of its own, which is no browser's and has its own limits. */
const requestHead = (method: string, path: string, headers: string): string => {
  nextNetwork += 1
  return `${method} ${path} HTTP/1.1\r\nHost: station.test\r\nX-Forwarded-For: 198.18.${nextNetwork >> 8}.${nextNetwork & 255}\r\n${headers}\r\n`
}
const get = (path: string): string => requestHead('GET', path, '')
const halfSent = (path: string): string =>
  `${requestHead('POST', path, 'Content-Type: application/json\r\nContent-Length: 60000\r\n')}{`

/** A connection that sends a text, and reads only when it is told to. */
class SlowConnection {
  readonly #tcp: Socket
  #received = Buffer.alloc(0)
  #isClosed = false

  constructor(text: string) {
    const { hostname, port } = new URL(harness.gateway.url)
    this.#tcp = connect(Number(port), hostname)
    this.#tcp.pause()
    this.#tcp.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data])
    })
    this.#tcp.on('error', () => undefined)
    this.#tcp.on('close', () => {
      this.#isClosed = true
    })
    this.#tcp.write(text)
  }

  write(bytes: Buffer | string): void {
    this.#tcp.write(bytes)
  }

  /** Reads to the end. Resolves when the gateway has closed the connection. */
  async readAll(): Promise<string> {
    this.#tcp.resume()
    await until('the connection is closed', () => this.#isClosed)
    return this.#received.toString('latin1')
  }

  destroy(): void {
    this.#tcp.destroy()
  }
}

/** The sum of a metric over the series with all of these labels. */
async function metric(name: string, ...labels: string[]): Promise<number> {
  const text = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
const closedFor = (direction: string, fault: string): Promise<number> =>
  metric('looptide_transfers_closed_total', `direction="${direction}"`, `fault="${fault}"`)

const send = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(harness.gateway.url + path, { ...init, signal: AbortSignal.timeout(20_000) })

describe('while other clients are slow', () => {
  it('bodies that do not arrive take no connection to a service', async () => {
    await until(
      'all bodies have begun',
      async () =>
        (await metric('looptide_transfers_held_bytes', '"bodies"')) >= slow.writers.length * 16 * KIB,
    )
    expect(harness.catalogue.requests.filter(({ url }) => url === '/api/playlists')).toEqual([])
    const response = await send('/api/playlists', { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([200, { text: '' }])
  })

  it('answers that are not read occupy no connection to a service', async () => {
    const unread = new SlowConnection(get('/api/submissions/large/unread'))
    await until('the service has sent the answer', () =>
      harness.catalogue.answered.includes('/api/submissions/large/unread'),
    )
    await until(
      'the gateway holds the answer',
      async () => (await metric('looptide_transfers_held_bytes', '"answers"')) > MIB,
    )
    unread.destroy()
    const { text } = (await (await send('/api/submissions/large/read')).json()) as { text: string }
    expect(text).toHaveLength(LARGE_BYTES)
  })

  it('requests of one network take turns at a service, and other networks do not wait for them', async () => {
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    let running = 0
    harness.chat.respond = async ({ url = '' }) => {
      if (!url.includes('held')) return { status: 200, body: {} }
      running += 1
      await gate
      return { status: 200, body: {} }
    }
    const from = (ip: string): RequestInit => ({ headers: { 'x-forwarded-for': ip } })
    const held = Array.from({ length: 100 }, (_, n) => send(`/api/chat/held/${n}`, from('198.19.0.1')))
    await until('a network has all its turns', () => running === 12)
    expect((await send('/api/chat/other', from('198.19.0.2'))).status).toBe(200)
    const gone = Array.from(
      { length: 3 },
      () =>
        new SlowConnection(
          get('/api/chat/gone').replace(/X-Forwarded-For: .*/, 'X-Forwarded-For: 198.19.0.1'),
        ),
    )
    await send('/api/chat/other', from('198.19.0.2'))
    for (const connection of gone) connection.destroy()
    await send('/api/chat/other', from('198.19.0.2'))
    expect(running).toBe(12)
    openGate()
    expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([200]))
    await send('/api/chat/last', from('198.19.0.1'))
    expect(harness.chat.requests.map(({ url }) => url)).not.toContain('/api/chat/gone')
  })

  it('unread answers of one network hold a bounded number of bytes', async () => {
    const head = `GET /api/submissions/large HTTP/1.1\r\nHost: station.test\r\nX-Forwarded-For: 198.19.0.3\r\n\r\n`
    const unread = Array.from({ length: 3 }, () => new SlowConnection(head))
    await until('the oldest is closed', async () => (await closedFor('answers', 'excess')) > 0)
    for (const connection of unread) connection.destroy()
  })

  it.each([
    ['chunks', 'Transfer-Encoding: chunked\r\n', `${(64 * KIB).toString(16)}\r\n${' '.repeat(64 * KIB)}\r\n`],
    ['a length of 10 GB', 'Content-Length: 10000000000\r\n', ' '.repeat(64 * KIB)],
  ])('a body that never ends is cut off: %s', async (_how, header, part) => {
    const paths = ['/api/playlists', '/api/csp-reports', '/no-such-route', '/api/health']
    const endless = [
      ...paths.map((path) => new SlowConnection(requestHead('POST', path, header))),
      // The answer comes from memory.
      new SlowConnection(requestHead('GET', '/api/config', header)),
    ]
    const timer = setInterval(() => {
      for (const connection of endless) connection.write(part)
    }, 10)
    await Promise.all(endless.map((connection) => connection.readAll()))
    clearInterval(timer)
  })
})

/** A masked frame (RFC 6455 §5.2) with a mask of zeros. `sent`: the bytes of its payload that are present. */
function frame(first: number, length: number, sent = Buffer.alloc(length, 0x20)): Buffer {
  const head = Buffer.from([first, 0x80 | 126, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(length, 2)
  return Buffer.concat([head, sent])
}
const TEXT = 0x81
const FIRST_FRAGMENT = 0x01
const LAST_FRAGMENT = 0x80

/** A socket that sends bytes of its own choice after the handshake. */
class RawSocket {
  readonly #tcp: Socket
  #received = Buffer.alloc(0)
  closed = false

  constructor(from: string) {
    const { hostname, port } = new URL(harness.gateway.url)
    this.#tcp = connect(Number(port), hostname)
    this.#tcp.write(
      `GET /realtime/v1/websocket?apikey=k&vsn=2.0.0 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: ${from}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    )
    this.#tcp.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data])
    })
    this.#tcp.on('error', () => undefined)
    this.#tcp.on('close', () => {
      this.closed = true
    })
  }

  async open(): Promise<this> {
    await until('the handshake is answered', () => this.#received.includes('\r\n\r\n'))
    return this
  }

  send(bytes: Buffer): void {
    this.#tcp.write(bytes)
  }

  /** The code of the close frame. */
  get code(): number {
    return this.#received.readUInt16BE(this.#received.lastIndexOf(0x88) + 2)
  }

  get text(): string {
    return this.#received.toString('latin1')
  }

  destroy(): void {
    this.#tcp.destroy()
  }
}

const HEARTBEAT = Buffer.from('[null,"beat","phoenix","heartbeat",{}]'.padEnd(200))

describe('a message that is not complete', () => {
  it('closes its socket after ten seconds, in one frame or in fragments, also between pings', async () => {
    const inOneFrame = await new RawSocket('192.0.2.1').open()
    const inFragments = await new RawSocket('192.0.2.1').open()
    const slow = await new RawSocket('192.0.2.1').open()
    const idle = await new RawClient(harness.realtimeUrl, undefined, { forwardedFor: '192.0.2.1' }).open()
    const beganAtMs = performance.now()
    inOneFrame.send(frame(TEXT, 8 * KIB, Buffer.alloc(100)))
    inFragments.send(frame(FIRST_FRAGMENT, 1000))
    slow.send(frame(TEXT, HEARTBEAT.length, HEARTBEAT.subarray(0, 50)))
    const pings = setInterval(() => inFragments.send(Buffer.from([0x89, 0x80, 0, 0, 0, 0])), 500)
    idle.socket.ping()
    await until('half of the time has passed', () => performance.now() - beganAtMs > 5000)
    slow.send(HEARTBEAT.subarray(50))
    await until('both sockets are closed', () => inOneFrame.closed && inFragments.closed)
    clearInterval(pings)
    expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(9900)
    expect([inOneFrame.code, inFragments.code]).toEqual([4029, 4029])
    expect(slow.text).toContain('"beat"')
    expect(slow.closed).toBe(false)
    await idle.settled()
    idle.close()
    slow.destroy()
  })

  it('is bounded by network: above a megabyte, the sockets that began first are closed at once', async () => {
    // Begins before all others, so that its time would end before theirs.
    const other = await new RawSocket('192.0.2.3').open()
    other.send(frame(FIRST_FRAGMENT, HEARTBEAT.length, HEARTBEAT))
    const sockets = await Promise.all(Array.from({ length: 80 }, () => new RawSocket('192.0.2.2').open()))
    for (const socket of sockets) socket.send(frame(TEXT, 16 * KIB, Buffer.alloc(15 * KIB)))
    const open = () => sockets.filter(({ closed }) => !closed).length
    await until('the open sockets hold less than a megabyte', () => open() * 15 * KIB <= 1024 * KIB)
    expect(open()).toBeGreaterThanOrEqual(60)
    for (const socket of sockets.filter(({ closed }) => closed)) expect(socket.code).toBe(4029)
    other.send(Buffer.concat([frame(LAST_FRAGMENT, 126), frame(TEXT, HEARTBEAT.length, HEARTBEAT)]))
    await until('the other socket is answered', () => other.text.includes('"beat"'))
    for (const socket of [...sockets, other]) socket.destroy()
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(/looptide_sockets_closed_total\{[^}]*reason="incomplete"[^}]*\} \d+/)
  })
})

describe('after fifteen seconds', () => {
  it('every body that did not arrive is refused with 408, and its connection is closed', async () => {
    for (const connection of slow.writers) {
      const text = await connection.readAll()
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408'])
      expect(text).toContain('"code":"request_timeout"')
    }
    expect(await closedFor('bodies', 'slow')).toBe(slow.writers.length)
    expect(await metric('looptide_transfers_held_bytes', '"bodies"')).toBe(0)
  })

  it('every answer that was not read is given up, and its memory is free', async () => {
    await until(
      'no answer is held',
      async () => (await metric('looptide_transfers_held_bytes', '"answers"')) === 0,
    )
    for (const connection of slow.readers)
      expect((await connection.readAll()).length).toBeLessThan(LARGE_BYTES)
    expect(await closedFor('answers', 'slow')).toBeGreaterThanOrEqual(slow.readers.length)
  })

  it('every other client is still answered', async () => {
    for (const path of READABLE) expect([path, (await send(path)).status]).toEqual([path, expect.any(Number)])
  })
})
