import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness

beforeAll(async () => {
  // 60 proxied reads a minute, 120 requests in total.
  harness = await startGatewayHarness({ RATE_LIMIT_FACTOR: '0.01', TRUST_PROXY: '1' })
})
afterAll(() => harness.close())

/** A path whose responses are not cached. */
const PROXIED = '/api/submissions'

const read = (path: string, from = '192.0.2.1'): Promise<Response> =>
  fetch(harness.gateway.url + path, { headers: { 'x-forwarded-for': from } })

it('counts proxied requests and sends the time to wait', async () => {
  await until('requests are refused', async () => (await read(PROXIED)).status === 429)
  const response = await until('another path is refused, too', async () => {
    const answer = await read('/api/search')
    return answer.status === 429 && answer
  })
  expect(await response.json()).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('counts large responses against a stricter limit', async () => {
  expect((await read('/api/guide.xml', '192.0.2.2')).status).not.toBe(429)
  await until(
    'the request is refused',
    async () => (await read('/api/guide.xml', '192.0.2.2')).status === 429,
  )
})

it('counts an IPv6 /64 as one network, and a /48 against a limit four times as large', async () => {
  const count = async (ip: (n: number) => string): Promise<{ allowed: number; elapsedS: number }> => {
    const startedAtMs = performance.now()
    const all = Array.from({ length: 300 }, async (_, n) => (await read(PROXIED, ip(n))).status)
    const allowed = (await Promise.all(all)).filter((status) => status !== 429).length
    return { allowed, elapsedS: (performance.now() - startedAtMs) / 1000 }
  }
  // A limit is available again within a minute.
  const inNetwork = await count((n) => `2001:db8:1:1::${n.toString(16)}`)
  expect(inNetwork.allowed).toBeLessThan(70 + inNetwork.elapsedS)
  const inSite = await count((n) => `2001:db8:2:${n.toString(16)}::1`)
  expect(inSite.allowed).toBeGreaterThanOrEqual(240)
  expect(inSite.allowed).toBeLessThan(250 + 4 * inSite.elapsedS)
})

it('counts responses from memory separately, against a limit twice as large', async () => {
  harness.catalogue.respond = () => ({ status: 200, body: {} })
  const path = '/api/home?seed=kept'
  const statuses: number[] = []
  const startedAtMs = performance.now()
  for (let n = 0; n < 200; n += 1) statuses.push((await read(path, '192.0.2.3')).status)
  const elapsedS = (performance.now() - startedAtMs) / 1000
  const allowed = statuses.filter((status) => status === 200).length
  expect(allowed).toBeGreaterThanOrEqual(120)
  expect(allowed).toBeLessThanOrEqual(121 + 2 * elapsedS)
  expect((await read(path, '192.0.2.4')).status).toBe(200)
})

it('allows proxied requests while Redis is down', async () => {
  const from = '192.0.2.5'
  await until('requests are refused', async () => (await read(PROXIED, from)).status === 429)
  await harness.backing.redis.stop()
  await until('requests pass', async () => (await read(PROXIED, from)).status === 200)
  expect((await read(PROXIED, '192.0.2.6')).status).toBe(200)
})
