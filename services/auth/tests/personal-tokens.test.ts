import { PERSONAL_TOKENS_PER_USER } from '@looptide/contracts/credential-limits'
import { ROLES } from '@looptide/contracts/permissions'
import { scopesFor, TOKEN_SCOPE_NAMES } from '@looptide/contracts/token-scopes'
import { personalTokenDigest } from '@looptide/service-kit/identity/personal-token'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeAt, withFactor } from './_authenticator.ts'
import {
  type Answer,
  call,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
} from './_harness.ts'
import { api, staff } from './_requests.ts'

const DAY_MS = 86_400_000

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const create = (owner: TestSession, body: object = {}): Promise<Answer> =>
  api(auth, 'POST', '/me/tokens', owner, { name: 'Backup', scopes: ['read'], lifetimeDays: 30, ...body })

const list = async (owner: TestSession) => (await api(auth, 'GET', '/me/tokens', owner)).body.items

/** Exchanges a token as a gateway does. */
async function exchange(token: string): Promise<{ accessToken: string; tokenId: string } | null> {
  const digest = personalTokenDigest(token)!.toString('base64url')
  const headers = { 'x-internal-token': auth.config.internalToken }
  const { body } = await call(`${auth.service.url}/internal/tokens/exchange`, 'POST', { digest }, headers)
  return body.access
}

/** Sends a request to `/api` with the access token that a gateway gets for this token. */
async function withToken(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const access = await exchange(token)
  return call(`${auth.service.url}/api${path}`, method, body, bearerOf(access?.accessToken ?? ''))
}

it('is shown once, is stored as a digest, and is listed with its last use', async () => {
  const owner = await signUp(auth)
  expect(await list(owner)).toEqual([])
  const { status, body } = await create(owner, { name: ' Backup ', scopes: ['chat', 'read'] })
  expect(status).toBe(201)
  expect(body).toMatchObject({ name: 'Backup', scopes: ['read', 'chat'], lastUsedAt: null })
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(30 * DAY_MS)
  const { token, ...rest } = body
  expect(await list(owner)).toEqual([rest])
  const stored = await auth.db.selectFrom('personalTokens').selectAll().where('id', '=', body.id).execute()
  expect(JSON.stringify(stored)).not.toContain(token)
  expect((await withToken(token, 'GET', '/me')).body).toMatchObject({ id: owner.user.id })
  const [{ lastUsedAt }] = await list(owner)
  expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(body.createdAt))
  await exchange(token)
  expect((await list(owner))[0].lastUsedAt).toBe(lastUsedAt)
  await until('the owner has a mail', () =>
    auth.sink.to(owner.email).some(({ raw }) => raw.includes('The access token "Backup" was created')),
  )
})

it('is limited to its scopes, and never manages tokens or the account', async () => {
  const owner = await staff(auth, 'admin')
  const { body } = await create(owner, { scopes: ['playlists'] })
  const refused = await withToken(body.token, 'GET', '/me')
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.details).toEqual([{ path: '/scope', message: 'read' }])
  const all = await create(owner, {
    scopes: TOKEN_SCOPE_NAMES,
  })
  const requests: [string, string, unknown?][] = [
    ['GET', '/me/tokens'],
    ['POST', '/me/tokens', { name: 'More', scopes: ['read'], lifetimeDays: 7 }],
    ['DELETE', `/me/tokens/${body.id}`],
    ['DELETE', '/me', { password: PASSWORD }],
    ['GET', '/me/sessions'],
    ['PATCH', `/profiles/${owner.user.id}`, { artistName: 'Thief' }],
  ]
  for (const [method, path, sent] of requests) {
    const answer = await withToken(all.body.token, method, path, sent)
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'insufficient_scope'])
    expect(answer.body.details).toBeUndefined()
  }
  expect(await list(owner)).toHaveLength(2)
})

it('that lacks the scope of an admin or moderator action is reported, with its owner and role', async () => {
  const owner = await staff(auth, 'admin')
  const { body } = await create(owner, { scopes: TOKEN_SCOPE_NAMES })
  const reported = () => auth.guard.reported.filter(({ userId }) => userId === owner.user.id)
  for (const path of ['/me/sessions', '/users'])
    expect((await withToken(body.token, 'GET', path)).status).toBe(403)
  await until('it is reported', () => reported().length > 0)
  expect(reported()).toMatchObject([{ operation: 'auth.user.list', role: 'admin', lacks: 'scope' }])
})

it('cannot have a scope that the role of its owner does not allow', async () => {
  for (const role of ROLES) {
    const owner = role === 'user' ? await signUp(auth) : await staff(auth, role)
    const given: string[] = []
    for (const scope of TOKEN_SCOPE_NAMES) {
      const { status, body } = await create(owner, { scopes: [scope] })
      if (status === 201) given.push(scope)
      else expect([status, body.code]).toEqual([403, 'forbidden'])
    }
    expect([role, given]).toEqual([role, scopesFor(role)])
    expect(await list(owner)).toHaveLength(given.length)
  }
})

it('is not accepted by the auth protocol', async () => {
  const owner = await signUp(auth)
  const { body } = await create(owner)
  const access = await exchange(body.token)
  for (const bearer of [body.token, access?.accessToken]) {
    const answer = await call(`${auth.url}/user`, 'GET', undefined, bearerOf(bearer))
    expect(answer.status).toBe(403)
  }
})

it('ends when it is revoked, and another user cannot revoke it', async () => {
  const owner = await signUp(auth)
  const revoked = await auth.listen('auth.session.revoked.v1')
  const { body } = await create(owner)
  const access = await exchange(body.token)
  const stranger = await api(auth, 'DELETE', `/me/tokens/${body.id}`, await signUp(auth))
  expect([stranger.status, stranger.body.code]).toEqual([404, 'not_found'])
  expect((await api(auth, 'DELETE', `/me/tokens/${body.id}`, owner)).status).toBe(204)
  await until('every process knows', () =>
    revoked.received().some(({ data }) => data.sessionIds.includes(body.id)),
  )
  await revoked.stop()
  expect(await exchange(body.token)).toBeNull()
  const late = await call(`${auth.service.url}/api/me`, 'GET', undefined, bearerOf(access?.accessToken ?? ''))
  expect(late.status).toBe(401)
  expect((await api(auth, 'DELETE', `/me/tokens/${body.id}`, owner)).status).toBe(404)
})

it('is exchanged for two minutes at most, and not after its end', async () => {
  const owner = await signUp(auth)
  const { body } = await create(owner, { lifetimeDays: 7 })
  const claims = decodeJwt((await exchange(body.token))!.accessToken)
  expect(claims).toMatchObject({ scope: 'read', session_id: body.id, aal: 'aal1' })
  expect(claims.exp! - claims.iat!).toBe(120)
  const expiresAt = new Date(auth.clock.now() + 60_000)
  await auth.db.updateTable('personalTokens').set({ expiresAt }).where('id', '=', body.id).execute()
  const last = decodeJwt((await exchange(body.token))!.accessToken)
  expect(last.exp! - last.iat!).toBeLessThanOrEqual(60)
  await auth.db
    .updateTable('personalTokens')
    .set({ expiresAt: new Date(auth.clock.now() - 1) })
    .where('id', '=', body.id)
    .execute()
  expect(await exchange(body.token)).toBeNull()
  expect(await list(owner)).toHaveLength(1)
  const longAgo = new Date(auth.clock.now() - 31 * DAY_MS)
  await auth.db.updateTable('personalTokens').set({ expiresAt: longAgo }).where('id', '=', body.id).execute()
  await auth.housekeeping.run()
  expect(await list(owner)).toEqual([])
})

it('has the role that its owner has now', async () => {
  const owner = await staff(auth, 'admin')
  const { body } = await create(owner)
  expect((await withToken(body.token, 'GET', '/me')).body.role).toBe('admin')
  await auth.db.deleteFrom('userRoles').where('userId', '=', owner.user.id).execute()
  expect((await withToken(body.token, 'GET', '/me')).body.role).toBe('user')
})

it('ends with a site ban and with a new password', async () => {
  const admin = await staff(auth, 'admin')
  const banned = await signUp(auth)
  const { body } = await create(banned)
  const ban = { restrictionType: 'site_banned', reason: 'spam' }
  expect((await api(auth, 'POST', `/users/${banned.user.id}/restrictions`, admin, ban)).status).toBe(201)
  expect(await exchange(body.token)).toBeNull()

  const careful = await signUp(auth)
  const { body: other } = await create(careful)
  const change = { password: 'another long password', current_password: PASSWORD }
  expect((await call(`${auth.url}/user`, 'PUT', change, careful.headers)).status).toBe(200)
  expect(await exchange(other.token)).toBeNull()
})

it('is limited in number per user, and invalid bodies are refused', async () => {
  const owner = await signUp(auth)
  for (const body of [
    { name: ' ' },
    { name: '\n' },
    { name: 'x'.repeat(61) },
    { scopes: [] },
    { scopes: ['everything'] },
    { scopes: ['read', 'read'] },
    { lifetimeDays: 3650 },
    { lifetimeDays: null },
    { userId: owner.user.id },
  ])
    expect((await create(owner, body)).body.code).toBe('validation_failed')
  const made = await Promise.all(Array.from({ length: PERSONAL_TOKENS_PER_USER + 2 }, () => create(owner)))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(PERSONAL_TOKENS_PER_USER)
  expect(made.find(({ status }) => status !== 201)?.body.code).toBe('unprocessable')
})

it('needs a fresh second factor of users who have one, and keeps its level', async () => {
  const owner = await signUp(auth)
  const { id, secret, session, requests } = await withFactor(auth, owner)
  const complete = { ...owner, headers: bearerOf(session.access_token) }
  const { body } = await create(complete)
  expect(decodeJwt((await exchange(body.token))!.accessToken).aal).toBe('aal2')
  auth.clock.advance(11 * 60_000)
  const refused = await create(complete)
  expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_outdated'])
  const { body: fresh } = await requests.verify(id, codeAt(auth, secret))
  const again = { ...owner, headers: bearerOf(fresh.access_token) }
  expect((await create(again)).status).toBe(201)
})
