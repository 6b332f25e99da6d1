import { connect, type Socket } from 'node:net'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, RawClient, startGatewayHarness } from './_harness.ts'

const KIB = 1024
let harness: GatewayHarness

beforeAll(async () => {
  // A quarter of every limit: 1 MiB of incomplete messages for each network.
  harness = await startGatewayHarness({
    TRUST_PROXY: '1',
    RATE_LIMIT_FACTOR: '0.25',
    MAX_SOCKETS_PER_NETWORK: '1000',
  })
})
afterAll(() => harness.close())

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
  it('closes its socket after ten seconds, in one frame or in fragments, also between pings', {
    timeout: 40_000,
  }, async () => {
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
    await until('half of the time has passed', () => performance.now() - beganAtMs > 5000, {
      timeoutMs: 10_000,
    })
    slow.send(HEARTBEAT.subarray(50))
    await until('both sockets are closed', () => inOneFrame.closed && inFragments.closed, {
      timeoutMs: 20_000,
    })
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
    const other = await new RawSocket('192.0.2.3').open()
    other.send(frame(FIRST_FRAGMENT, HEARTBEAT.length, HEARTBEAT))
    const sockets = await Promise.all(Array.from({ length: 80 }, () => new RawSocket('192.0.2.2').open()))
    const beganAtMs = performance.now()
    for (const socket of sockets) socket.send(frame(TEXT, 16 * KIB, Buffer.alloc(15 * KIB)))
    await until('sockets are closed', () => sockets.filter(({ closed }) => closed).length >= 11)
    expect(performance.now() - beganAtMs).toBeLessThan(9000)
    const open = sockets.filter(({ closed }) => !closed).length
    expect(open).toBeGreaterThanOrEqual(60)
    expect(open * 15 * KIB).toBeLessThanOrEqual(1024 * KIB)
    for (const socket of sockets.filter(({ closed }) => closed)) expect(socket.code).toBe(4029)
    other.send(Buffer.concat([frame(LAST_FRAGMENT, 126), frame(TEXT, HEARTBEAT.length, HEARTBEAT)]))
    await until('the other socket is answered', () => other.text.includes('"beat"'))
    for (const socket of [...sockets, other]) socket.destroy()
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(/looptide_sockets_closed_total\{[^}]*reason="incomplete"[^}]*\} \d+/)
  })
})
