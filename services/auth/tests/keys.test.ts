import { issuerOf, JwksTokenVerifier } from '@looptide/service-kit/identity/tokens'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import { SigningKeys } from '../src/features/keys/signing-keys.ts'
import { call, SITE, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

/** The keys as `rotate-keys.ts` uses them in its own process. */
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
  call(`${url}/user`, 'GET', undefined, { ...VERSION, ...bearerOf(token) })

describe('the published keys', () => {
  it('are public, cacheable and contain no private part', async () => {
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

  it('verify tokens in other services', async () => {
    const viewer = await signUp(auth)
    const verifier = new JwksTokenVerifier(
      `${auth.url}/.well-known/jwks.json`,
      issuerOf(SITE),
      auth.clock.now,
    )
    expect(await verifier.verify(viewer.access_token)).toMatchObject({
      userId: viewer.user.id,
      email: viewer.email,
    })
  })

  it('are stored encrypted', async () => {
    const rows = await auth.db.selectFrom('signingKeys').selectAll().execute()
    for (const row of rows) expect(row.sealedPrivateJwk.toString('latin1')).not.toMatch(/"d":|P-256/)
    const stranger = keysOf('another secret that is long enough, too')
    await stranger.load()
    await expect(stranger.signer()).rejects.toThrow()
  })
})

describe('a rotation', () => {
  it('publishes the key before it signs, and retires the old key when its last token has expired', async () => {
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

  it('by two processes at once adds two keys; the first start of several replicas creates one', async () => {
    const count = async () => (await auth.db.selectFrom('signingKeys').select('kid').execute()).length
    const had = await count()
    await Promise.all([keysOf().rotate(), keysOf().rotate()])
    expect(await count()).toBe(had + 2)
    await auth.db.deleteFrom('signingKeys').execute()
    const replicas = Array.from({ length: 4 }, () => keysOf())
    await Promise.all(replicas.map((keys) => keys.start()))
    for (const keys of replicas) keys.stop()
    expect(await count()).toBe(1)
  })
})

describe('a revoked key', () => {
  it('is no longer published, its tokens are refused, and the next key signs', async () => {
    // Make the service read the keys, which the previous test changed.
    await kids()
    const before = await signUp(auth)
    const replica = await auth.startReplica()
    const replicaUrl = `${replica.url}/auth/v1`
    const verifier = new JwksTokenVerifier(
      `${auth.url}/.well-known/jwks.json`,
      issuerOf(SITE),
      auth.clock.now,
    )
    await verifier.verify(before.access_token)
    const revocations = await auth.listen('auth.key.revoked.v1')
    const kid = kidOf(before.access_token) ?? ''
    const cause = { actorId: null, correlationId: 'test' }
    expect(await keysOf().revoke(kid, cause)).toBe(true)
    for (const url of [auth.url, replicaUrl]) {
      await until(
        'its tokens are refused',
        async () => (await userWith(before.access_token, url)).status === 403,
      )
      expect(await kids(url)).not.toContain(kid)
    }
    await auth.service.processAll()
    await until('the revocation is published', () =>
      revocations.received().some(({ data }) => data.kid === kid),
    )
    await revocations.stop()
    const access = await fetch(`${auth.service.url}/internal/access`, {
      headers: { 'x-internal-token': auth.config.internalToken },
    })
    expect(await access.json()).toMatchObject({ revokedKeys: [{ kid }] })
    const again = await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', {
      refresh_token: before.refresh_token,
    })
    expect(again.status).toBe(200)
    expect(kidOf(again.body.access_token)).not.toBe(kid)
    expect((await userWith(again.body.access_token, replicaUrl)).status).toBe(200)
    expect(await keysOf().revoke(kid, cause)).toBe(false)
  })

  it('is replaced in the transaction that revokes it, so that a key always signs', async () => {
    const kid = kidOf((await signUp(auth)).access_token) ?? ''
    expect(await keysOf().revoke(kid, { actorId: null, correlationId: 'test' })).toBe(true)
    const { rows } = await sql<{ together: boolean }>`
      select key.xmin = revoked.xmin as together
      from signing_keys key cross join revoked_keys revoked
      where revoked.kid = ${kid} order by key.signs_from desc limit 1`.execute(auth.db)
    expect(rows).toEqual([{ together: true }])
  })
})

describe('an unknown key id', () => {
  it('causes at most one read of the keys per second', async () => {
    const viewer = await signUp(auth)
    const [, payload, signature] = viewer.access_token.split('.')
    let reads = 0
    let nowMs = auth.clock.now()
    const db = new Proxy(auth.db, {
      get: (target, name) => {
        if (name === 'selectFrom') reads += 1
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const keys = new SigningKeys({
      db,
      vault: new Vault(auth.config.keySecret),
      accessTokenTtlS: 3600,
      now: () => nowMs,
      warn: () => undefined,
    })
    await keys.load()
    reads = 0
    for (let index = 0; index < 50; index += 1) await keys.resolver(`invented-${index}`)
    expect(reads).toBe(1)
    nowMs += 1000
    await keys.resolver('invented')
    expect(reads).toBe(2)
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'invented', typ: 'JWT' })).toString(
      'base64url',
    )
    expect((await userWith(`${header}.${payload}.${signature}`)).status).toBe(403)
  })
})

describe('the key secret', () => {
  const OTHER = 'another secret that is long enough, too'
  const REFUSED = 'AUTH_KEY_SECRET is not the one that the database was encrypted with'
  const keysIn = (db: TestAuth['db']) => db.selectFrom('signingKeys').selectAll().execute()

  it('stops the start with a clear message when it is not that of the database', async () => {
    const keys = keysOf(OTHER)
    await expect(keys.start()).rejects.toThrow(REFUSED)
    await expect(keys.start()).rejects.toThrow('if it is lost, see docs/operations.md, "Secrets"')
    keys.stop()
  })

  it('stops the start of a database whose signing keys a restore has deleted', async () => {
    const restored = await startAuth()
    await restored.db.deleteFrom('signingKeys').execute()
    await expect(restored.restart({ AUTH_KEY_SECRET: OTHER })).rejects.toThrow(REFUSED)
    expect(await keysIn(restored.db)).toEqual([])
    await restored.restart({})
    expect(await keysIn(restored.db)).toHaveLength(1)
    await restored.stop()
  })

  it('is checked with the signing keys of a database that an earlier release has set up', async () => {
    const upgraded = await startAuth()
    await upgraded.db.deleteFrom('secretCheck').execute()
    await expect(upgraded.restart({ AUTH_KEY_SECRET: OTHER })).rejects.toThrow(REFUSED)
    expect(await upgraded.db.selectFrom('secretCheck').selectAll().execute()).toEqual([])
    await upgraded.restart({})
    await upgraded.db.deleteFrom('signingKeys').execute()
    await expect(upgraded.restart({ AUTH_KEY_SECRET: OTHER })).rejects.toThrow(REFUSED)
    await upgraded.stop()
  })

  it('is changed with two values: sessions and codes stay valid, keys are encrypted with the new one', async () => {
    const old = await startAuth({ MAIL_CONFIRMATION: 'on' })
    const email = 'rotating@example.test'
    await call(`${old.url}/signup`, 'POST', { email, password: 'correct horse battery' })
    const { tokenHash } = await old.sink.latest(email)
    const session = (await call(`${old.url}/verify`, 'POST', { type: 'signup', token_hash: tokenHash })).body
    await call(`${old.url}/otp`, 'POST', { email })
    const { code } = await old.sink.latest(email, 'magiclink')
    const secret = 'the new secret, which is long enough'
    old.config.previousKeySecret = old.config.keySecret
    old.config.keySecret = secret
    const changed = await old.startReplica()
    const url = `${changed.url}/auth/v1`
    const refreshed = await call(`${url}/token?grant_type=refresh_token`, 'POST', {
      refresh_token: session.refresh_token,
    })
    expect(refreshed.status).toBe(200)
    expect((await call(`${url}/verify`, 'POST', { type: 'email', email, token: code })).status).toBe(200)
    const rows = await old.db.selectFrom('signingKeys').selectAll().execute()
    for (const row of rows) expect(new Vault(secret).isCurrent(row.sealedPrivateJwk, row.kid)).toBe(true)
    const former = old.config.previousKeySecret
    expect(rows.length).toBeGreaterThan(0)
    await old.db.deleteFrom('signingKeys').execute()
    old.config.previousKeySecret = undefined
    const last = await old.startReplica()
    const body = { refresh_token: refreshed.body.refresh_token }
    const after = await call(`${last.url}/auth/v1/token?grant_type=refresh_token`, 'POST', body)
    expect(after.status).toBe(200)
    old.config.keySecret = former
    await expect(old.startReplica()).rejects.toThrow(REFUSED)
    await old.stop()
  })
})
