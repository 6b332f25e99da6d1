import { JwksTokenVerifier } from '@looptide/service-kit/tokens'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import { SigningKeys } from '../src/features/keys/signing-keys.ts'
import { call, signUp, startAuth, type TestAuth, VERSION } from './_util.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

/** What `rotate-keys.ts` does, in a process of its own. */
const keysOf = (secret = auth.config.keySecret) =>
  new SigningKeys({
    db: auth.db,
    vault: new Vault(secret),
    accessTokenTtlS: auth.config.accessTokenTtlS,
    now: auth.clock.now,
    warn: () => undefined,
  })
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const published = async (url = auth.url) =>
  (await call(`${url}/.well-known/jwks.json`, 'GET')).body.keys as { kid: string }[]
const kids = async (url = auth.url) => (await published(url)).map((key) => key.kid)
const userWith = (token: string, url = auth.url) =>
  call(`${url}/user`, 'GET', undefined, { ...VERSION, authorization: `Bearer ${token}` })

describe('the published keys', () => {
  it('are public, cacheable and hold no private member', async () => {
    const { headers, status } = await call(`${auth.url}/.well-known/jwks.json`, 'GET')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=600')
    for (const key of await published()) {
      expect(key).toEqual({
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
        key_ops: ['verify'],
      })
    }
  })

  it('verify what other services are shown', async () => {
    const person = await signUp(auth)
    const verifier = new JwksTokenVerifier(`${auth.url}/.well-known/jwks.json`, auth.clock.now)
    expect(await verifier.verify(person.access_token)).toMatchObject({
      userId: person.user.id,
      email: person.email,
    })
  })

  it('are kept sealed', async () => {
    const rows = await auth.db.selectFrom('signingKeys').selectAll().execute()
    for (const row of rows) expect(row.sealedPrivateJwk.toString('latin1')).not.toMatch(/"d":|P-256/)
    const stranger = keysOf('another secret that is long enough, too')
    await stranger.load()
    await expect(stranger.signer()).rejects.toThrow()
  })
})

describe('a rotation', () => {
  it('is known to all before it signs, and retires the old key when its last token has run out', async () => {
    const before = await signUp(auth)
    const replica = await auth.startReplica()
    const replicaUrl = `${replica.url}/auth/v1`
    const kid = await keysOf().rotate()
    expect(await kids()).toContain(kid)
    expect(await kids(replicaUrl)).toContain(kid)
    expect(kidOf((await signUp(auth)).access_token)).toBe(kidOf(before.access_token))

    auth.clock.advance(16_000)
    const after = await signUp(auth)
    expect(kidOf(after.access_token)).toBe(kid)
    for (const url of [auth.url, replicaUrl]) {
      expect((await userWith(after.access_token, url)).status).toBe(200)
      expect((await userWith(before.access_token, url)).status).toBe(200)
    }
    auth.clock.advance((3600 + 590) * 1000)
    expect(await kids()).toContain(kidOf(before.access_token))
    auth.clock.advance(20_000)
    expect(await kids()).toEqual([kid])

    await keysOf().rotate()
    const stored = await auth.db.selectFrom('signingKeys').select('kid').execute()
    expect(stored.map((row) => row.kid)).not.toContain(kidOf(before.access_token))
  })

  it('by two at once gives two keys, and the first start of many replicas one', async () => {
    const count = async () => (await auth.db.selectFrom('signingKeys').select('kid').execute()).length
    const had = await count()
    await Promise.all([keysOf().rotate(), keysOf().rotate()])
    expect(await count()).toBe(had + 2)
    await auth.db.deleteFrom('signingKeys').execute()
    const crowd = Array.from({ length: 4 }, () => keysOf())
    await Promise.all(crowd.map((keys) => keys.start()))
    for (const keys of crowd) keys.stop()
    expect(await count()).toBe(1)
  })
})
