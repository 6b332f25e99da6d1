import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness

beforeAll(async () => {
  // Sixty reads a minute that are passed on, a hundred and twenty in all.
  harness = await startGatewayHarness({ RATE_LIMIT_FACTOR: '0.01', TRUST_PROXY: '1' })
})
afterAll(() => harness.close())

/** An address whose answers are not kept. */
const PASSED_ON = '/api/submissions'

const read = (path: string, from = '192.0.2.1'): Promise<Response> =>
  fetch(harness.gateway.url + path, { headers: { 'x-forwarded-for': from } })

it('counts what is passed on and says when to come back', async () => {
  await until('requests are refused', async () => (await read(PASSED_ON)).status === 429)
  const response = await read('/api/search')
  expect(response.status).toBe(429)
  expect(await response.json()).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('counts a large answer by a narrower limit of its own', async () => {
  expect((await read('/api/guide.xml', '192.0.2.2')).status).not.toBe(429)
  await until('it is refused', async () => (await read('/api/guide.xml', '192.0.2.2')).status === 429)
})

it('counts the addresses of an IPv6 /64 as one, and those of a /48 against four times as much', async () => {
  const count = async (address: (n: number) => string): Promise<number> => {
    const all = Array.from({ length: 260 }, async (_, n) => (await read(PASSED_ON, address(n))).status)
    return (await Promise.all(all)).filter((status) => status !== 429).length
  }
  expect(await count((n) => `2001:db8:1:1::${n.toString(16)}`)).toBeLessThan(70)
  const inSite = await count((n) => `2001:db8:2:${n.toString(16)}::1`)
  expect(inSite).toBeGreaterThanOrEqual(240)
  expect(inSite).toBeLessThan(250)
})

it('counts what is answered from memory by itself, and refuses it after twice as many', async () => {
  harness.catalogue.answer = () => ({ status: 200, body: {} })
  const path = '/api/home?seed=kept'
  const statuses: number[] = []
  for (let n = 0; n < 200; n += 1) statuses.push((await read(path, '192.0.2.3')).status)
  const allowed = statuses.filter((status) => status === 200).length
  expect(allowed).toBeGreaterThanOrEqual(120)
  expect(statuses.at(-1)).toBe(429)
  expect((await read(path, '192.0.2.4')).status).toBe(200)
})

it('lets through what Redis would count while it is away', async () => {
  const from = '192.0.2.5'
  await until('requests are refused', async () => (await read(PASSED_ON, from)).status === 429)
  await harness.backing.redis.stop()
  await until('requests pass', async () => (await read(PASSED_ON, from)).status === 200)
  const startedAtMs = performance.now()
  expect((await read(PASSED_ON, '192.0.2.6')).status).toBe(200)
  expect(performance.now() - startedAtMs).toBeLessThan(1000)
})
