import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TcpProxy } from '../src/tcp-proxy.ts'
import { until } from '../src/until.ts'

/** An echo server. */
let echo: Server
let proxy: TcpProxy
const served = new Set<Socket>()

beforeEach(async () => {
  echo = createServer((socket) => {
    served.add(socket)
    socket.on('error', () => undefined)
    socket.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  proxy = await TcpProxy.to(`tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`)
})
afterEach(async () => {
  await proxy.stop()
  for (const socket of served) socket.destroy()
  served.clear()
  echo.close()
})

/** A client of the proxy. */
class Client {
  readonly socket = connect({ port: proxy.port, host: '127.0.0.1' })
  received = ''
  closeReason: 'closed' | 'reset' | undefined

  constructor() {
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', (hadError) => {
      this.closeReason = hadError ? 'reset' : 'closed'
    })
  }

  async exchange(text: string): Promise<void> {
    const before = this.received.length
    this.socket.write(text)
    await until('the text is echoed', () => this.received.length >= before + text.length)
  }
}

describe('a proxy', () => {
  it('forwards all data in both directions, in order, and closes when either side does', async () => {
    const client = new Client()
    const text = Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join('')
    await client.exchange(text)
    expect(client.received).toBe(text)
    client.socket.end()
    await until('the client connection is closed', () => client.closeReason)
    expect(client.closeReason).toBe('closed')
    const other = new Client()
    await other.exchange('hello')
    for (const socket of served) socket.destroy()
    await until('the other client connection is closed', () => other.closeReason)
  })

  it('adds its latency in each direction', async () => {
    const client = new Client()
    await client.exchange('quick')
    proxy.slow({ latencyMs: 150 })
    const startedAtMs = performance.now()
    await client.exchange('slow')
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(299)
  })

  it('limits the bandwidth and pauses the sender', async () => {
    proxy.slow({ bytesPerSecond: 200_000 })
    const client = new Client()
    const startedAtMs = performance.now()
    await client.exchange('x'.repeat(100_000))
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(490)
    expect(client.received).toBe('x'.repeat(100_000))
  })
})

describe('a cut connection', () => {
  it('delivers nothing until it is restored, then all sent data', async () => {
    const client = new Client()
    await client.exchange('before')
    proxy.cut('blackHole')
    const late = new Client()
    late.socket.write('late')
    client.socket.write('during')
    await until('the sent data is buffered', () => client.socket.writableLength === 0)
    expect([client.received, late.received]).toEqual(['before', ''])
    proxy.restore()
    await until('all data has arrived', () => client.received === 'beforeduring' && late.received === 'late')
    expect([client.closeReason, late.closeReason]).toEqual([undefined, undefined])
  })

  it('resets every connection, old and new, until it is restored', async () => {
    const client = new Client()
    await client.exchange('before')
    proxy.cut('reset')
    await until('the connection is reset', () => client.closeReason === 'reset')
    const late = new Client()
    await until('the new connection is closed too', () => late.closeReason !== undefined)
    proxy.restore()
    await new Client().exchange('after')
  })

  it('silently drops current connections and accepts new ones', async () => {
    const client = new Client()
    await client.exchange('before')
    proxy.forget()
    client.socket.write('lost')
    await new Client().exchange('after')
    proxy.restore()
    await new Client().exchange('after the restore')
    expect([client.received, client.closeReason]).toEqual(['before', undefined])
  })
})
