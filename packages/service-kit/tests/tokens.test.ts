import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../src/http/errors.ts'
import { InvalidTokenError, JwksTokenVerifier, SecondFactorPendingError } from '../src/identity/tokens.ts'

const MINUTE_MS = 60_000
const ISSUER = 'https://station.example/auth/v1'
type Pair = Awaited<ReturnType<typeof generateKeyPair>>

let server: Server
let url: string
let published: { kid: string; pair: Pair }[]
let requestCount = 0
let isDown = false
let nowMs = Date.parse('2026-11-20T12:00:00Z')
let verifier: JwksTokenVerifier

const makeKey = async (): Promise<{ kid: string; pair: Pair }> => ({
  kid: randomUUID(),
  pair: await generateKeyPair('ES256', { extractable: true }),
})

beforeEach(async () => {
  requestCount = 0
  isDown = false
  published = [await makeKey()]
  server = createServer((_request, response) => {
    requestCount += 1
    if (isDown) return response.writeHead(503).end()
    void Promise.all(
      published.map(async ({ kid, pair }) => ({ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256' })),
    ).then((keys) => response.end(JSON.stringify({ keys })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
  verifier = new JwksTokenVerifier(url, ISSUER, () => nowMs)
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const claims = (): JWTPayload => ({
  iss: ISSUER,
  sub: randomUUID(),
  session_id: randomUUID(),
  email: 'a@example.test',
  aud: 'authenticated',
  iat: nowMs / 1000,
  exp: nowMs / 1000 + 3600,
})
const sign = (
  { kid, pair } = published[0]!,
  payload: JWTPayload = claims(),
  header: Record<string, unknown> = {},
): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(pair.privateKey)

const expectRefused = (token: string) =>
  expect(verifier.verify(token)).rejects.toBeInstanceOf(InvalidTokenError)

describe('a valid token', () => {
  it('identifies its user and session', async () => {
    const payload = claims()
    expect(await verifier.verify(await sign(undefined, payload))).toEqual({
      userId: payload.sub,
      sessionId: payload.session_id,
      email: 'a@example.test',
      isAnonymous: false,
      generation: 0,
      signedInAtMs: null,
      expiresAtMs: nowMs + 3600_000,
      kid: published[0]!.kid,
      aal: 'aal1',
      factorVerifiedAtMs: null,
      hasFactor: false,
      needsFactor: false,
      scopes: null,
      isDevice: false,
    })
  })

  it('contains when the second factor was verified, and is refused while that is pending', async () => {
    const amr = [
      { method: 'totp', timestamp: 1_700_000_000 },
      { method: 'password', timestamp: 1_600_000_000 },
    ]
    const complete = await sign(undefined, { ...claims(), aal: 'aal2', amr })
    expect(await verifier.verify(complete)).toMatchObject({
      aal: 'aal2',
      factorVerifiedAtMs: 1_700_000_000_000,
      hasFactor: true,
      signedInAtMs: 1_600_000_000_000,
    })
    // A personal access token has no fresh proof, and knows whether its owner has a second factor.
    const acting = { ...claims(), aal: 'aal2', amr, second_factor: 'enrolled', scope: 'read' }
    expect(await verifier.verify(await sign(undefined, acting))).toMatchObject({
      factorVerifiedAtMs: null,
      hasFactor: true,
      signedInAtMs: null,
    })
    const device = { ...claims(), amr: [{ method: 'device', timestamp: 1_600_000_000 }], scope: 'read chat' }
    expect(await verifier.verify(await sign(undefined, device))).toMatchObject({
      isDevice: true,
      scopes: ['read', 'chat'],
      signedInAtMs: null,
    })
    const pending = await sign(undefined, { ...claims(), second_factor: 'pending' })
    await expect(verifier.verify(pending)).rejects.toThrow(SecondFactorPendingError)
  })

  it('is refused after it expires, although it was verified before', async () => {
    const token = await sign()
    await verifier.verify(token)
    nowMs += 61 * MINUTE_MS
    await expectRefused(token)
  })
})

describe('a token is refused', () => {
  it.each(['iss', 'sub', 'session_id', 'exp', 'aud'])('without %s', async (claim) => {
    await expectRefused(await sign(undefined, { ...claims(), [claim]: undefined }))
  })

  it('for another audience', async () => expectRefused(await sign(undefined, { ...claims(), aud: 'anon' })))
  it('of another issuer', async () => {
    await expectRefused(await sign(undefined, { ...claims(), iss: 'https://other.example/auth/v1' }))
  })
  it('of a key that was revoked, although it was verified before', async () => {
    const token = await sign()
    await verifier.verify(token)
    verifier.revokeKey(published[0]!.kid)
    await expectRefused(token)
    await expectRefused(await sign())
  })
  it('without a key id', async () => expectRefused(await sign(undefined, claims(), { kid: undefined })))
  it('with algorithm none', async () => expectRefused(new UnsecuredJWT(claims()).encode()))
  it('when it is not a token', async () => {
    for (const text of ['', 'x', 'a.b.c', '..', 'x'.repeat(9000)]) await expectRefused(text)
  })

  it('with HMAC keyed by the published key', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(published[0]!.pair.publicKey)))
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: published[0]!.kid })
      .sign(secret)
    await expectRefused(token)
  })

  it('when it contains its own key', async () => {
    const own = await makeKey()
    const jwk = await exportJWK(own.pair.publicKey)
    await expectRefused(await sign(own, claims(), { jwk }))
    await expectRefused(await sign({ kid: published[0]!.kid, pair: own.pair }, claims(), { jwk, jku: url }))
  })

  it('when its payload was replaced', async () => {
    const [head, , tail] = (await sign()).split('.')
    const other = (await sign()).split('.')[1]
    await expectRefused(`${head}.${other}.${tail}`)
  })
})

describe('keys', () => {
  it('are fetched once, not for each token', async () => {
    await Promise.all(Array.from({ length: 20 }, async () => verifier.verify(await sign())))
    expect(requestCount).toBe(1)
  })

  it('are fetched again for an unknown key id, at most once a second', async () => {
    await verifier.verify(await sign())
    nowMs += 2000
    const next = await makeKey()
    published.push(next)
    await verifier.verify(await sign(next))
    expect(requestCount).toBe(2)
    for (let i = 0; i < 20; i += 1) await expectRefused(await sign(await makeKey()))
    expect(requestCount).toBe(2)
  })

  it('that are no longer published are refused after ten minutes', async () => {
    const old = published[0]!
    await verifier.verify(await sign())
    published = [await makeKey()]
    nowMs += 11 * MINUTE_MS
    await expectRefused(await sign(old))
  })

  it('stay in use while auth is down', async () => {
    await verifier.verify(await sign())
    isDown = true
    nowMs += 30 * MINUTE_MS
    await expect(verifier.verify(await sign())).resolves.toBeDefined()
  })

  it('that are unknown while auth is down are an outage, not an invalid token', async () => {
    await verifier.verify(await sign())
    isDown = true
    nowMs += 2000
    const outage = await verifier.verify(await sign(await makeKey())).catch((error: unknown) => error)
    expect(outage).toBeInstanceOf(AppError)
    expect((outage as AppError).code).toBe('service_unavailable')
  })

  it('that could never be fetched are an outage', async () => {
    isDown = true
    await expect(verifier.verify(await sign())).rejects.toMatchObject({ code: 'service_unavailable' })
    isDown = false
    await expect(verifier.verify(await sign())).resolves.toBeDefined()
  })
})
