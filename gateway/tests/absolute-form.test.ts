import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

const SITE = 'https://looptide.example'
let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({ REQUIRE_HTTPS: 'on', TRUST_PROXY: '1', SITE_URL: SITE })
  harness.catalogue.respond = () => ({ status: 200, body: { items: [] } })
})
afterAll(() => harness.close())

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Sends a request with this target, which no client library would send, and reads until the connection is closed. */
async function ask(method: string, target: string, headers = 'Host: other.test\r\n'): Promise<Answer> {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
  socket.write(`${method} ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  const text = (await socket.toArray()).join('')
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const pairs = lines
    .map((line) => line.split(/: (.*)/, 2))
    .map(([name = '', value = '']) => [name.toLowerCase(), value])
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(pairs) as Record<string, string>,
    body,
  }
}

/** What differs between any two answers. */
const comparable = ({ status, headers, body }: Answer) => {
  const { date, 'x-request-id': id, ...rest } = headers
  const isDocument = rest['content-type']?.startsWith('text/html') === true
  return isDocument ? { status } : { status, headers: rest, body: body.replace(/"requestId":"[^"]+"/, '') }
}

/** One path of each kind: pages, files, own responses, shared responses, proxied ones, and refusals. */
const PATHS = [
  ...['/', '/live?channel=one', '/assets/app-abc123.js', '/test-card/a.mp4', '/robots.txt', '/livez'],
  ...['/api/config', '/api/home', '/api/playlists?x=1', '/docs/json', '/docs/static/index.css'],
  ...['/realtime/v1/websocket', '/nothing.js', '/api/a/../b'],
]

describe('a request target in absolute form', () => {
  it.each(PATHS)('is answered like the same in origin form: %s', async (path) => {
    // The second answers of those that are kept come from memory.
    await ask('GET', path)
    const expected = comparable(await ask('GET', path))
    for (const target of [`http://station.test${path}`, `HTTPS://station.test:8443${path}`])
      expect(comparable(await ask('GET', target))).toEqual(expected)
  })

  it('names the host, whatever the header says, and reaches the service as a path', async () => {
    for (const [target, host] of [
      ['http://station.test/api/playlists/a?b=http://c/', 'station.test'],
      ['http://[::1]:8080/api/playlists/a?b=http://c/', '[::1]:8080'],
    ] as const) {
      expect((await ask('GET', target)).status).toBe(200)
      const { url, headers } = harness.catalogue.requests.at(-1)!
      expect([url, headers['x-forwarded-host']]).toEqual(['/api/playlists/a?b=http://c/', host])
    }
  })

  it('without a path is the home page', async () => {
    for (const target of ['http://station.test', 'http://station.test?a=b'])
      expect((await ask('GET', target)).status).toBe(200)
  })

  it.each(PATHS)(
    'over plain http is redirected, or refused, like the same in origin form: %s',
    async (path) => {
      const headers = 'Host: other.test\r\nX-Forwarded-Proto: http\r\n'
      const { status, headers: answered } = await ask('GET', path, headers)
      if (status === 308) expect(answered.location).toBe(SITE + path)
      const { status: same, headers: sameAnswered } = await ask('GET', `http://station.test${path}`, headers)
      expect([same, sameAnswered.location]).toEqual([status, answered.location])
    },
  )

  it('without a host is refused', async () => {
    expect((await ask('GET', 'http:///api/config')).status).toBe(400)
  })

  it.each([
    'http://user@station.test/api/config',
    'http://user:password@station.test/',
    'ftp://station.test/api/config',
    'http://station.test/api/config#a',
    'http://station.test#a',
    'http://station.test\\api',
  ])('is refused if it is malformed: %s', async (target) => {
    const { status, body } = await ask('GET', target)
    expect(status).toBe(400)
    expect(body).toContain('"code":"bad_request"')
  })

  it('needs the Host header too', async () => {
    expect((await ask('GET', 'http://station.test/api/config', '')).status).toBe(400)
  })

  it('opens the socket, if its host is the one of the page', async () => {
    const handshake = (origin: string): Promise<number> =>
      new Promise((resolve) => {
        const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1')
        socket.once('data', (data) => {
          resolve(Number(data.toString().split(' ')[1]))
          socket.destroy()
        })
        socket.write(
          `GET http://station.test/realtime/v1/websocket?apikey=k HTTP/1.1\r\nHost: other.test\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        )
      })
    expect(await handshake('http://station.test')).toBe(101)
    expect(await handshake('http://other.test')).toBe(403)
  })
})
