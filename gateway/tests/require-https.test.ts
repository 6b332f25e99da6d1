import { FEED_PATHS } from '@looptide/contracts/http/guide'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'

let harness: GatewayHarness
let pool: Pool

beforeAll(async () => {
  harness = await startGatewayHarness({
    REQUIRE_HTTPS: 'on',
    TRUST_PROXY: '1',
    SITE_URL: 'https://looptide.example',
  })
  pool = new Pool(harness.gateway.url)
})
afterAll(async () => {
  await pool.close()
  await harness.close()
})

async function ask(path: string, headers: Record<string, string>, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const { statusCode, headers: answered, body } = await pool.request({ path, method, headers })
  const text = await body.text()
  return { status: statusCode, location: answered.location, text }
}

const PLAIN = { 'x-forwarded-proto': 'http' }

describe('a request that reached the proxy over plain http', () => {
  it.each(['/', '/live?channel=one', '/auth/confirm?token_hash=x', '//other.example/'])(
    'is redirected if it is for the page %s',
    async (path) => {
      const { status, location } = await ask(path, PLAIN)
      expect([status, location]).toEqual([308, `https://looptide.example${path}`])
    },
  )

  it.each([FEED_PATHS.xmltv, FEED_PATHS.calendar('one'), '/auth/v1/.well-known/jwks.json'])(
    'is redirected if it is a read without credentials: %s',
    async (path) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const { status, location } = await ask(path, PLAIN, method)
        expect([status, location]).toEqual([308, `https://looptide.example${path}`])
      }
    },
  )

  it.each([
    ['/api/channels', { cookie: 'a=b' }],
    ['/api/channels', { apikey: 'x' }],
    ['/api/channels?apikey=x', {}],
    ['/auth/v1/verify?type=signup&token=x', {}],
    ['/realtime/v1/websocket', {}],
  ])('is refused with credentials in its headers or address: %s %j', async (path, headers) => {
    expect((await ask(path, { ...PLAIN, ...headers })).status).toBe(403)
  })

  it.each([
    ['GET', '/api/channels'],
    ['GET', '/auth/v1/user'],
    ['GET', '/realtime/v1/websocket'],
    ['POST', '/live'],
  ] as const)('is refused: %s %s', async (method, path) => {
    const { status, text } = await ask(path, { ...PLAIN, authorization: 'Bearer x' }, method)
    expect(status).toBe(403)
    expect(text).toContain('https_required')
  })

  it('is refused as a handshake', async () => {
    const url = `${harness.gateway.url}/realtime/v1/websocket?apikey=x&vsn=1.0.0`.replace('http', 'ws')
    const status = new Promise((resolve) => {
      const socket = new WebSocket(url, { headers: PLAIN })
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
      socket.once('open', () => resolve(101))
    })
    expect(await status).toBe(403)
  })
})

it.each<Record<string, string>>([
  {},
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'HTTPS, http' },
])('answers a request with the headers %j', async (headers) => {
  expect((await ask('/', headers)).status).toBe(200)
  expect((await ask('/livez', headers)).status).toBe(200)
})
