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

/** Somebody at the near end of the line. */
class Caller {
  readonly socket = connect({ port: proxy.port, host: '127.0.0.1' })
  heard = ''
  ended: 'well' | 'badly' | undefined

  constructor() {
    this.socket.on('data', (chunk: Buffer) => {
      this.heard += chunk.toString()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', (hadError) => {
      this.ended = hadError ? 'badly' : 'well'
    })
  }

  async says(text: string): Promise<void> {
    const before = this.heard.length
    this.socket.write(text)
    await until('it comes back', () => this.heard.length >= before + text.length)
  }
}

describe('a line', () => {
  it('carries all there is both ways, in order, and ends when either does', async () => {
    const caller = new Caller()
    const text = Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join('')
    await caller.says(text)
    expect(caller.heard).toBe(text)
    caller.socket.end()
    await until('the caller has ended', () => caller.ended)
    expect(caller.ended).toBe('well')
    const other = new Caller()
    await other.says('hello')
    for (const socket of served) socket.destroy()
    await until('the other has ended', () => other.ended)
  })

  it('is late by its latency each way', async () => {
    const caller = new Caller()
    await caller.says('quick')
    proxy.slow({ latencyMs: 150 })
    const startedAtMs = performance.now()
    await caller.says('slow')
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(299)
  })

  it('takes as long as its bandwidth wants, and lets the sender wait', async () => {
    proxy.slow({ bytesPerSecond: 200_000 })
    const caller = new Caller()
    const startedAtMs = performance.now()
    await caller.says('x'.repeat(100_000))
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(490)
    expect(caller.heard).toBe('x'.repeat(100_000))
  })
})

describe('a line that is cut', () => {
  it('delivers nothing until it is restored, then everything that was sent', async () => {
    const caller = new Caller()
    await caller.says('before')
    proxy.cut('blackHole')
    const late = new Caller()
    late.socket.write('late')
    caller.socket.write('during')
    await until('the line holds what was sent', () => caller.socket.writableLength === 0)
    expect([caller.heard, late.heard]).toEqual(['before', ''])
    proxy.restore()
    await until('all has arrived', () => caller.heard === 'beforeduring' && late.heard === 'late')
    expect([caller.ended, late.ended]).toEqual([undefined, undefined])
  })

  it('resets every connection, old and new, until it is restored', async () => {
    const caller = new Caller()
    await caller.says('before')
    proxy.cut('reset')
    await until('it is reset', () => caller.ended === 'badly')
    const late = new Caller()
    await until('the new one too', () => late.ended !== undefined)
    proxy.restore()
    await new Caller().says('after')
  })

  it('forgets connections for good, and lets new ones pass', async () => {
    const caller = new Caller()
    await caller.says('before')
    proxy.forget()
    caller.socket.write('lost')
    await new Caller().says('after')
    proxy.restore()
    await new Caller().says('after the restore')
    expect([caller.heard, caller.ended]).toEqual(['before', undefined])
  })
})
