import { request } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({ MAX_SOCKETS: '3', ALLOWED_ORIGINS: 'https://partner.test' })
})
afterAll(() => harness.close())

/** Sends a handshake and returns the status and body of the refusal, or 101. */
function handshake(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const clientRequest = request(harness.gateway.url + path, {
      agent: false,
      headers: { ...upgrade, ...headers },
    })
    clientRequest.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve({ status: 101, body: null })
    })
    clientRequest.on('response', (response) => {
      json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    clientRequest.on('error', reject)
    clientRequest.end()
  })
}

/** Sends a raw request and returns everything received until the server closes the connection. */
function receiveUntilClosed(text: string): Promise<string> {
  const { hostname, port } = new URL(harness.gateway.url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const PATH = '/realtime/v1/websocket'
const refusal = { error: expect.any(String) }

describe('a handshake', () => {
  it.each([
    ['without a key', `${PATH}?vsn=2.0.0`, 401],
    ['with an empty key', `${PATH}?apikey=&vsn=2.0.0`, 401],
    ['with two keys', `${PATH}?apikey=a&apikey=b`, 400],
    ['with two versions', `${PATH}?apikey=k&vsn=1.0.0&vsn=2.0.0`, 400],
    ['with one version twice', `${PATH}?apikey=k&vsn=2.0.0&vsn=2.0.0`, 400],
    ['with any other parameter twice', `${PATH}?apikey=k&vsn=2.0.0&log_level=info&log_level=info`, 400],
    ['in an unknown version', `${PATH}?apikey=k&vsn=3.0.0`, 400],
  ])('%s is refused as JSON', async (_what, path, status) => {
    expect(await handshake(path)).toEqual({ status, body: refusal })
  })

  it('from a page of another site is refused', async () => {
    const origin = 'https://evil.test'
    expect(await handshake(`${PATH}?apikey=k`, { origin })).toEqual({ status: 403, body: refusal })
    expect((await handshake(`${PATH}?apikey=k`, { origin: 'null' })).status).toBe(403)
  })

  it.each(['http://station.test', 'https://partner.test'])('from %s is accepted', async (origin) => {
    expect((await handshake(`${PATH}?apikey=k`, { origin })).status).toBe(101)
  })

  it('from a page of the same host is accepted', async () => {
    const { origin } = new URL(harness.gateway.url)
    expect((await handshake(`${PATH}?apikey=k&log_level=info`, { origin })).status).toBe(101)
  })

  it.each([
    ['GET', '/api/config', 200],
    ['GET', '/realtime/v1/nothing?apikey=k', 404],
    ['GET', '/%zz', 400],
    ['GET', '//evil.test/realtime/v1/websocket', 404],
    ['POST', '/api/videos', 200],
  ])('at another path is an ordinary request: %s %s', async (method, path, status) => {
    const text = await receiveUntilClosed(
      `${method} ${path} HTTP/1.1\r\nHost: station.test\r\n${UPGRADE.replace('Upgrade\r\n', 'Upgrade, close\r\n')}\r\n`,
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
    if (status >= 400) expect(text).toContain('"requestId":')
  })

  it.each([
    ['POST', `${PATH}?apikey=k`, 404],
    ['GET', PATH, 401],
  ])('%s %s gets one response, and its connection is closed', async (method, path, status) => {
    const text = await receiveUntilClosed(
      `${method} ${path} HTTP/1.1\r\nHost: station.test\r\n${UPGRADE}\r\n`,
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual(refusal)
    expect(text).toMatch(/x-content-type-options: nosniff/i)
  })

  it('that is a plain GET is refused', async () => {
    const response = await fetch(`${harness.gateway.url}${PATH}?apikey=k`)
    expect(response.status).toBe(426)
    expect(await response.json()).toEqual(refusal)
  })

  it('at the connection limit is refused', async () => {
    const clients = Array.from({ length: 3 }, () => new RawClient(harness.realtimeUrl))
    await Promise.all(clients.map((client) => client.open()))
    expect(await handshake(`${PATH}?apikey=k`)).toEqual({ status: 429, body: refusal })
    for (const client of clients) client.close()
  })
})
