import { createPersonalToken, PERSONAL_TOKEN_PREFIX } from '@looptide/service-kit/identity/personal-token'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayHarness, startGatewayHarness } from './_harness.ts'
import { RawClient } from './_raw-client.ts'

let harness: GatewayHarness
beforeAll(async () => {
  harness = await startGatewayHarness({ TRUST_PROXY: '1' })
})
afterAll(() => harness.close())

const get = (path: string, bearer: string, from = '198.51.100.7'): Promise<Response> =>
  fetch(harness.gateway.url + path, {
    headers: { ...bearerOf(bearer), 'x-forwarded-for': from },
  })

/** Creates a token that auth exchanges for this access token. */
function knownToken(accessToken = 'an access token'): string {
  const { token, digest } = createPersonalToken()
  harness.identity.exchange.accessTokens.set(digest.toString('base64url'), accessToken)
  return token
}

it('a personal access token reaches a service as an access token, after one exchange', async () => {
  const token = knownToken()
  const { count } = harness.identity.exchange
  for (let times = 0; times < 3; times++) expect((await get('/api/playlists', token)).status).toBe(200)
  expect(harness.catalogue.requests.at(-1)?.headers.authorization).toBe('Bearer an access token')
  expect(harness.identity.exchange.count).toBe(count + 1)
  expect(JSON.stringify(harness.catalogue.requests)).not.toContain(token)
})

it('a personal access token is exchanged again when its access token is outdated', async () => {
  const token = knownToken()
  expect((await get('/api/playlists', token)).status).toBe(200)
  const { count, tokenId: id } = harness.identity.exchange
  harness.publish('auth.session.revoked.v1', {
    userId: id,
    sessionIds: [],
    untilMs: Date.now() + 3_600_000,
    outdated: [{ id, minGeneration: 1 }],
  })
  await until('it is exchanged again', async () => {
    expect((await get('/api/playlists', token)).status).toBe(200)
    return harness.identity.exchange.count > count
  })
})

it('an unknown token is refused after one request to auth', async () => {
  const { token } = createPersonalToken()
  const { count } = harness.identity.exchange
  const before = harness.catalogue.requests.length
  for (let times = 0; times < 3; times++) {
    const response = await get('/api/playlists', token)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'unauthorized' })
  }
  expect(harness.identity.exchange.count).toBe(count + 1)
  expect(harness.catalogue.requests).toHaveLength(before)
})

it('malformed bearer values are refused without a request to auth, or passed to the service', async () => {
  const { count } = harness.identity.exchange
  const genuine = knownToken()
  const header = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  })
  const hostile = fc.oneof(
    header.map((text) => PERSONAL_TOKEN_PREFIX + text),
    header.map((text) => `${genuine}${text}x`),
    fc.nat({ max: genuine.length - 1 }).map((length) => genuine.slice(0, length)),
    header,
  )
  await fc.assert(
    fc.asyncProperty(hostile, async (bearer) => {
      const response = await get('/api/playlists', bearer)
      expect(response.status).toBe(bearer.startsWith(PERSONAL_TOKEN_PREFIX) ? 401 : 200)
      await response.body?.cancel()
    }),
    { numRuns: 200 },
  )
  expect(harness.identity.exchange.count).toBe(count)
})

it('a flood of random tokens is limited per network, and tokens in use continue', async () => {
  const token = knownToken()
  await get('/api/playlists', token, '203.0.113.9')
  const answers = []
  for (let times = 0; times < 400; times++)
    answers.push((await get('/api/playlists', createPersonalToken().token, '203.0.113.9')).status)
  expect(new Set(answers)).toEqual(new Set([401, 429]))
  expect((await get('/api/playlists', token, '203.0.113.9')).status).toBe(200)
  expect((await get('/api/playlists', knownToken(), '203.0.113.200')).status).toBe(200)
})

it('a personal access token is not exchanged for requests to /auth/v1, and is refused by sockets and broadcasts', async () => {
  const user = await harness.identity.createUser()
  const token = knownToken(user.token)
  const { count } = harness.identity.exchange
  await get('/auth/v1/user', token)
  const broadcast = await fetch(`${harness.gateway.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { ...bearerOf(token), 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ topic: `user:${user.id}`, event: 'hello', payload: {} }] }),
  })
  expect(broadcast.status).toBe(401)
  const socket = await new RawClient(harness.realtimeUrl).open()
  const { status } = await socket.join(`realtime:user:${user.id}`, { access_token: token })
  expect(status).toBe('error')
  socket.close()
  expect(harness.identity.exchange.count).toBe(count)
})

it('a personal access token is answered 503 while auth is unreachable, and works afterwards', async () => {
  const { token } = createPersonalToken()
  await harness.identity.stop()
  const response = await get('/api/playlists', token, '192.0.2.1')
  expect([response.status, (await response.json()).code]).toEqual([503, 'service_unavailable'])
  await until('the gateway still answers', async () => (await get('/api/playlists', 'x')).status === 200)
})
