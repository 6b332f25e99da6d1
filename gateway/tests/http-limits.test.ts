import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { until } from '@looptide/testkit/until'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness
let pool: Pool
let nextNetwork = 0

beforeAll(async () => {
  // A tenth of every limit: 6 reports, 120 pages and 300 channel states a minute, 20 sockets.
  harness = await startGatewayHarness({ TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.1' })
  pool = new Pool(harness.gateway.url, { connections: 20 })
})
afterAll(async () => {
  await pool.close()
  await harness.close()
})

/** The IP address of a network that no other test uses. */
const nextIp = (): string => {
  nextNetwork += 1
  return `198.51.100.${nextNetwork}`
}

interface TestRequest {
  path: string
  method?: string
  from: string
  body?: string
  type?: string
}

async function status({ path, method = 'GET', from, body, type }: TestRequest): Promise<number> {
  const response = await pool.request({
    path,
    method: method as 'GET',
    headers: { 'x-forwarded-for': from, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  })
  await response.body.dump()
  return response.statusCode
}

/** Sends requests concurrently and counts the responses by status. */
async function statuses(
  count: number,
  createRequest: (n: number) => TestRequest,
): Promise<Record<number, number>> {
  const seen: Record<number, number> = {}
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      const code = await status(createRequest(next))
      seen[code] = (seen[code] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  return seen
}

describe('one client network', () => {
  it('is limited in CSP reports', async () => {
    const from = nextIp()
    const body = JSON.stringify({ 'csp-report': { 'effective-directive': 'img-src' } })
    const type = 'application/csp-report'
    const seen = await statuses(200, () => ({ path: '/api/csp-reports', method: 'POST', from, body, type }))
    expect(seen[204]).toBeGreaterThanOrEqual(6)
    expect(seen[429]).toBeGreaterThan(30)
    expect(await status({ path: '/api/csp-reports', method: 'POST', from: nextIp(), body, type })).toBe(204)
  })

  it('is limited in pages of any path, and still gets files', async () => {
    const from = nextIp()
    const seen = await statuses(200, (n) => ({ path: n % 2 === 0 ? '/' : `/videos/${randomUUID()}`, from }))
    expect(seen[200]).toBeGreaterThanOrEqual(120)
    expect(seen[429]).toBeGreaterThan(0)
    expect(await status({ path: '/assets/app-abc123.js', from })).toBe(200)
  })

  it.each(['/docs', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui.css'])(
    'is limited in %s as in pages',
    async (path) => {
      const from = nextIp()
      const seen = await statuses(200, () => ({ path, from }))
      expect(seen[200]).toBeGreaterThanOrEqual(120)
      expect(seen[429]).toBeGreaterThan(0)
      expect(await status({ path, from: nextIp() })).toBe(200)
    },
  )

  it('is limited in requests for a channel’s state', async () => {
    const from = nextIp()
    const seen = await statuses(500, () => ({ path: '/api/channels/default/now', from }))
    expect(seen[200]).toBeGreaterThanOrEqual(300)
    expect(seen[429]).toBeGreaterThan(0)
  })

  it('comprises an IPv6 /64, and all notations of an IPv4 address', async () => {
    const body = '{}'
    const report = (from: string) => ({
      path: '/api/csp-reports',
      method: 'POST',
      from,
      body,
      type: 'application/json',
    })
    const six = await statuses(60, (n) => report(`2001:db8:7:7::${n.toString(16)}`))
    expect(six[429]).toBeGreaterThan(30)
    const from = nextIp()
    const four = await statuses(60, (n) => report(n % 2 === 0 ? from : `::ffff:${from}`))
    expect(four[429]).toBeGreaterThan(30)
  })
})

it('an IPv6 /48 is limited as a whole, even if each of its networks is below its limit', async () => {
  const type = 'application/json'
  const seen = await statuses(100, (n) => ({
    path: '/api/csp-reports',
    method: 'POST',
    from: `2001:db8:8:${n.toString(16)}::1`,
    body: '{}',
    type,
  }))
  expect(seen[204]).toBeGreaterThanOrEqual(24)
  expect(seen[429]).toBeGreaterThan(30)
})

it('lookups of made-up channels are limited, and existing channels are found meanwhile', async () => {
  harness.scheduler.requests.length = 0
  const startedAtMs = performance.now()
  const from = Array.from({ length: 10 }, nextIp)
  const seen = await statuses(800, (n) => ({
    path: `/api/channels/made-up-${n}/now`,
    from: from[n % from.length] ?? '',
  }))
  expect(seen).toEqual({ 404: 800 })
  // 200 at once, and 20 per second.
  const elapsedS = (performance.now() - startedAtMs) / 1000
  expect(harness.scheduler.requests.length).toBeLessThan(400 + 20 * elapsedS)
  const state = harness.channels.get('default')!
  harness.channels.set('brand-new', { ...state, channelId: 'brand-new' })
  await until('the channel is found', async () => {
    const answer = await status({ path: '/api/channels/brand-new/now', from: nextIp() })
    return answer === 200
  })
})

describe('a request target with a raw # or \\', () => {
  const TARGETS = [
    '/api/home?seed=1#x',
    '/api/guide#a',
    '/#/live',
    '/api\\home',
    '/assets\\..\\x',
    '/api/search?q=\\',
  ]

  /** Sends a raw request, because fetch and undici would correct the target. */
  const sendRaw = (target: string, headers = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(harness.gateway.url)
      let text = ''
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers || 'Connection: close\r\n'}\r\n`),
      )
      socket.on('data', (data) => {
        text += data.toString('latin1')
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })

  it.each(TARGETS)('such as %s is refused without a request to a service', async (target) => {
    harness.catalogue.requests.length = 0
    const text = await sendRaw(target)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"code":"bad_request"')
    expect(harness.catalogue.requests).toEqual([])
  })

  it('is refused in a handshake as well', async () => {
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    expect(await sendRaw('/realtime/v1/websocket?apikey=k#x', upgrade)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"error":"/,
    )
  })
})

it('a response with a URL of more than 512 characters is not cached', async () => {
  harness.catalogue.respond = () => ({ status: 200, body: {} })
  const path = `/api/search?q=${'x'.repeat(600)}`
  harness.catalogue.requests.length = 0
  for (let n = 0; n < 3; n += 1) expect(await status({ path, from: nextIp() })).toBe(200)
  expect(harness.catalogue.requests).toHaveLength(3)
})

describe('handshakes', () => {
  const handshake = async (from: string): Promise<RawClient> => {
    const client = new RawClient(harness.realtimeUrl, 'apikey=k&vsn=2.0.0', { forwardedFor: from })
    await until('the socket is open or refused', () => client.socket.readyState !== 0)
    return client
  }
  const isOpen = ({ socket }: RawClient): boolean => socket.readyState === 1

  it('of one network are refused at its limit of open sockets, and another network is accepted', async () => {
    const from = nextIp()
    const clients = await Promise.all(Array.from({ length: 26 }, () => handshake(from)))
    expect(clients.filter(isOpen)).toHaveLength(20)
    const other = await handshake(nextIp())
    expect(isOpen(other)).toBe(true)
    const metrics = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(/looptide_handshakes_refused_total\{[^}]*status="429"[^}]*\} 6/)
    for (const client of [...clients, other]) client.close()
  })

  it('of one IPv6 /64 count as one network', async () => {
    const clients = await Promise.all(
      Array.from({ length: 24 }, (_, n) => handshake(`2001:db8:9:9::${n.toString(16)}`)),
    )
    expect(clients.filter(isOpen)).toHaveLength(20)
    for (const client of clients) client.close()
  })
})
