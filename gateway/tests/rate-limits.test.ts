import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStation, type TestStation } from './_util.ts'

let station: TestStation

beforeAll(async () => {
  // Six reads a minute.
  station = await startStation({ RATE_LIMIT_FACTOR: '0.001' })
})
afterAll(() => station.close())

const read = (path: string): Promise<Response> => fetch(station.gateway.url + path)

it('counts what is passed on and says when to come back', async () => {
  await until('requests are refused', async () => (await read('/api/videos')).status === 429)
  const response = await read('/api/search')
  expect(response.status).toBe(429)
  expect(await response.json()).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('counts a large answer by a narrower limit of its own', async () => {
  await until('it is refused', async () => (await read('/api/guide.xml')).status === 429)
})

it('does not count what is answered from memory', async () => {
  for (let n = 0; n < 20; n += 1) expect((await read('/api/channels/default/now')).status).toBe(200)
})

it('lets everybody through while Redis is away', async () => {
  await station.backing.redis.stop()
  await until('requests pass', async () => (await read('/api/videos')).status === 200)
  const startedAtMs = performance.now()
  expect((await read('/api/videos')).status).toBe(200)
  expect(performance.now() - startedAtMs).toBeLessThan(1000)
})
