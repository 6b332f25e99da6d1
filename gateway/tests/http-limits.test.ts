import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { until } from '@looptide/testkit/until'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayHarness, RawClient, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness
let pool: Pool
let nextNetwork = 0

beforeAll(async () => {
  // A tenth of every limit: 6 reports, 120 pages, 300 programmes a minute, 20 sockets.
  harness = await startGatewayHarness({ TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.1' })
  pool = new Pool(harness.gateway.url, { connections: 20 })
})
afterAll(async () => {
  await pool.close()
  await harness.close()
})

/** A network that no test before has used, as the address of a client. */
const freshAddress = (): string => {
  nextNetwork += 1
  return `198.51.100.${nextNetwork}`
}

interface Ask {
  path: string
  method?: string
  from: string
  body?: string
  type?: string
}

async function status({ path, method = 'GET', from, body, type }: Ask): Promise<number> {
  const response = await pool.request({
    path,
    method: method as 'GET',
    headers: { 'x-forwarded-for': from, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  })
  await response.body.dump()
  return response.statusCode
}

/** How often each status was answered. */
async function statuses(count: number, ask: (n: number) => Ask): Promise<Record<number, number>> {
  const seen: Record<number, number> = {}
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      next += 1
      const answer = await status(ask(next))
      seen[answer] = (seen[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 20 }, work))
  return seen
}

describe('one client network', () => {
  it('sends a number of reports of browsers a minute, and no more', async () => {
    const from = freshAddress()
    const body = JSON.stringify({ 'csp-report': { 'effective-directive': 'img-src' } })
    const type = 'application/csp-report'
    const seen = await statuses(200, () => ({ path: '/api/csp-reports', method: 'POST', from, body, type }))
    expect(seen[204]).toBeGreaterThanOrEqual(6)
    expect(seen[429]).toBeGreaterThan(30)
    expect(await status({ path: '/api/csp-reports', method: 'POST', from: freshAddress(), body, type })).toBe(
      204,
    )
  })

  it('is refused pages beyond its limit, whatever their addresses, and still gets files', async () => {
    const from = freshAddress()
    const seen = await statuses(200, (n) => ({ path: n % 2 === 0 ? '/' : `/videos/${randomUUID()}`, from }))
    expect(seen[200]).toBeGreaterThanOrEqual(120)
    expect(seen[429]).toBeGreaterThan(0)
    expect(await status({ path: '/assets/app-abc123.js', from })).toBe(200)
  })

  it('is refused a channel’s programme beyond its limit', async () => {
    const from = freshAddress()
    const seen = await statuses(500, () => ({ path: '/api/channels/default/now', from }))
    expect(seen[200]).toBeGreaterThanOrEqual(300)
    expect(seen[429]).toBeGreaterThan(0)
  })

  it('is all addresses of an IPv6 /64, and the notations of an IPv4 address', async () => {
    const body = '{}'
    const ask = (from: string) => ({
      path: '/api/csp-reports',
      method: 'POST',
      from,
      body,
      type: 'application/json',
    })
    const six = await statuses(60, (n) => ask(`2001:db8:7:7::${n.toString(16)}`))
    expect(six[429]).toBeGreaterThan(30)
    const from = freshAddress()
    const four = await statuses(60, (n) => ask(n % 2 === 0 ? from : `::ffff:${from}`))
    expect(four[429]).toBeGreaterThan(30)
  })
})

it('an IPv6 /48 is limited as a whole, though each of its networks keeps to its limit', async () => {
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

it('made-up channels are not all asked of the scheduler, and real ones are found meanwhile', async () => {
  harness.scheduler.requests.length = 0
  const from = Array.from({ length: 10 }, freshAddress)
  const seen = await statuses(800, (n) => ({
    path: `/api/channels/made-up-${n}/now`,
    from: from[n % from.length] ?? '',
  }))
  expect(seen).toEqual({ 404: 800 })
  expect(harness.scheduler.requests.length).toBeLessThan(700)
  const state = harness.channels.get('default')!
  harness.channels.set('brand-new', { ...state, channelId: 'brand-new' })
  await until('the channel is found', async () => {
    const answer = await status({ path: '/api/channels/brand-new/now', from: freshAddress() })
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

  /** fetch and undici would repair it. */
  const ask = (target: string, headers = ''): Promise<string> =>
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

  it.each(TARGETS)('such as %s is refused, and no service is asked', async (target) => {
    harness.catalogue.requests.length = 0
    const text = await ask(target)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"code":"bad_request"')
    expect(harness.catalogue.requests).toEqual([])
  })

  it('is refused at a handshake as well', async () => {
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    for (const target of ['/realtime/v1/websocket?apikey=k#x', '/realtime\\v1/websocket?apikey=k'])
      expect(await ask(target, upgrade)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"/)
  })
})

it('an answer whose address is longer than 512 letters is asked for each time, and not kept', async () => {
  harness.catalogue.answer = () => ({ status: 200, body: {} })
  const path = `/api/search?q=${'x'.repeat(600)}`
  harness.catalogue.requests.length = 0
  for (let n = 0; n < 3; n += 1) expect(await status({ path, from: freshAddress() })).toBe(200)
  expect(harness.catalogue.requests).toHaveLength(3)
})

describe('handshakes', () => {
  const handshake = async (from: string): Promise<RawClient> => {
    const client = new RawClient(harness.realtimeUrl, 'apikey=k&vsn=2.0.0', { forwardedFor: from })
    await until('it is open or refused', () => client.socket.readyState !== 0)
    return client
  }
  const isOpen = ({ socket }: RawClient): boolean => socket.readyState === 1

  it('of one network end at its number of open sockets, and another network still gets in', async () => {
    const from = freshAddress()
    const clients = await Promise.all(Array.from({ length: 26 }, () => handshake(from)))
    expect(clients.filter(isOpen)).toHaveLength(20)
    const other = await handshake(freshAddress())
    expect(isOpen(other)).toBe(true)
    const figures = await (await fetch(`${harness.gateway.metricsUrl}/metrics`)).text()
    expect(figures).toMatch(/looptide_handshakes_refused_total\{[^}]*status="429"[^}]*\} 6/)
    for (const client of [...clients, other]) client.close()
  })

  it('of one IPv6 /64 are those of one network', async () => {
    const clients = await Promise.all(
      Array.from({ length: 24 }, (_, n) => handshake(`2001:db8:9:9::${n.toString(16)}`)),
    )
    expect(clients.filter(isOpen)).toHaveLength(20)
    for (const client of clients) client.close()
  })
})
