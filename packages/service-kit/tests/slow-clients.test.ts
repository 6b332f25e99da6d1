import { connect, type Socket } from 'node:net'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { App } from '../src/http/app.ts'
import { buildServer } from '../src/http/server.ts'
import { createLogger } from '../src/telemetry/logger.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'

const POST = 'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'

let app: App
let port: number
const sockets: Socket[] = []
const timers: NodeJS.Timeout[] = []

beforeAll(async () => {
  app = buildServer({
    name: 'test',
    logger: createLogger('test', 'silent'),
    metrics: createMetrics('test'),
    timeouts: { headersMs: 200, requestMs: 400, checkEveryMs: 20 },
  })
  app.post('/notes', async () => ({ ok: true }))
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => app.close())
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer)
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends `bytes`, then `drip` every 30 ms; returns what the server has sent when it has closed the connection. */
async function sendSlowly(bytes: string, drip = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  let isClosed = false
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(bytes)
  timers.push(setInterval(() => isClosed || socket.write(drip), 30))
  await until('the server closes the connection', () => isClosed)
  return text
}

it.each([
  ['sends nothing', '', ''],
  ['never completes its headers', 'POST /notes HTTP/1.1\r\nHost: x\r\nX: ', 'x'],
  ['never completes its body', `${POST}\r\n`, ' '],
])('a client that %s is answered 408 and disconnected', async (_what, bytes, drip) => {
  const text = await sendSlowly(bytes, drip)
  expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
    code: 'request_timeout',
    message: expect.any(String),
    requestId: expect.any(String),
  })
})

it('headers that are too long are answered 431', async () => {
  const text = await sendSlowly(`POST /notes HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(text).toMatch(/^HTTP\/1\.1 431 /)
  expect(text).toContain('"code":"headers_too_large"')
})

it('data that is not HTTP is answered 400', async () => {
  const text = await sendSlowly('\x16\x03\x01 hello\r\n\r\n')
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('"code":"bad_request"')
})

it('other clients are served while slow ones are connected', async () => {
  const slow = Array.from({ length: 50 }, () => sendSlowly(`${POST}\r\n`, ' '))
  const response = await fetch(`http://127.0.0.1:${port}/notes`, { method: 'POST' })
  expect(await response.json()).toEqual({ ok: true })
  expect(await Promise.all(slow)).toHaveLength(50)
})
