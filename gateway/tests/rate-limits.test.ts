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
  const networkLimit = 60
  const inNetwork = await allowedFrom((n) => `2001:db8:1:1::${n.toString(16)}`)
  expect(inNetwork.all).toBeGreaterThanOrEqual(networkLimit)
  expect(inNetwork.counted).toBeLessThanOrEqual(networkLimit * inNetwork.windows)
  const inSite = await allowedFrom((n) => `2001:db8:2:${n.toString(16)}::1`)
  expect(inSite.all).toBeGreaterThanOrEqual(4 * networkLimit)
  expect(inSite.counted).toBeLessThanOrEqual(4 * networkLimit * inSite.windows)
})

/** Requests of ten addresses at a time, each used once, until one is refused. `windows`: minutes that were counted. */
async function allowedFrom(addressOf: (n: number) => string) {
  const startedAtMs = performance.now()
  const allowed: { ms: number }[] = []
  let sent = 0
  await until('a new address is refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const sentAtMs = performance.now()
        sent += 1
        const { status } = await read(PROXIED, addressOf(sent))
        return { status, ms: performance.now() - sentAtMs }
      }),
    )
    allowed.push(...answers.filter(({ status }) => status !== 429))
    return answers.some(({ status }) => status === 429)
  })
  // Those that Redis does not count within half a second pass.
  const counted = allowed.filter(({ ms }) => ms < 500).length
  return { all: allowed.length, counted, windows: 1 + Math.floor((performance.now() - startedAtMs) / 60_000) }
}

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
