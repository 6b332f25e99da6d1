import { PROOF_OF } from '@looptide/contracts/operations/all'
import { personalTokenDigest } from '@looptide/service-kit/identity/personal-token'
import { bearerOf } from '@looptide/testkit/client'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextCode, requestsOf, withFactor } from './_authenticator.ts'
import { decide, startDevice } from './_devices.ts'
import {
  type Answer,
  call,
  newEmail,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
  VERSION,
} from './_harness.ts'
import { api, post, signIn, staff } from './_requests.ts'

const DAY_MS = 86_400_000
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth({ RATE_LIMIT_FACTOR: '1' })
})
afterAll(() => auth.stop())

const withBearer = (of: TestSession, accessToken: string): TestSession => ({
  ...of,
  headers: bearerOf(accessToken),
})
const protocol = (method: string, path: string, session: TestSession, body?: unknown): Promise<Answer> =>
  call(`${auth.url}${path}`, method, body, { ...VERSION, ...session.headers })
const refresh = async ({ refresh_token }: Pick<TestSession, 'refresh_token'>): Promise<TestSession> =>
  (await post(auth, '/token?grant_type=refresh_token', { refresh_token })).body
const createToken = (owner: TestSession): Promise<Answer> =>
  api(auth, 'POST', '/me/tokens', owner, { name: 'Backup', scopes: ['read'], lifetimeDays: 365 })
const exchange = async (token: string): Promise<{ accessToken: string } | null> => {
  const digest = personalTokenDigest(token)!.toString('base64url')
  const headers = { 'x-internal-token': auth.config.internalToken }
  return (await call(`${auth.service.url}/internal/tokens/exchange`, 'POST', { digest }, headers)).body.access
}

describe('a token from before its session proved more or less', () => {
  it('is refused everywhere once an authenticator app was added', async () => {
    const admin = await staff(auth, 'admin')
    const viewer = await signUp(auth)
    const outdated = await auth.listen('auth.session.revoked.v1')
    const { session } = await withFactor(auth, admin)
    const requests: [string, string, unknown?][] = [
      ['GET', '/users'],
      ['PUT', `/users/${viewer.user.id}/role`, { role: 'moderator' }],
      ['GET', '/export/account'],
      ['POST', '/me/tokens', { name: 'Mine', scopes: ['read'], lifetimeDays: 365 }],
    ]
    for (const [method, path, body] of requests)
      expect([path, (await api(auth, method, path, admin, body)).status]).toEqual([path, 401])
    expect((await protocol('GET', '/user', admin)).body.code).toBe('bad_jwt')
    const current = withBearer(admin, session.access_token)
    expect((await api(auth, 'GET', '/users', current)).status).toBe(200)
    expect((await protocol('GET', '/user', current)).status).toBe(200)
    await auth.service.processAll()
    const { session_id: id, refresh_generation: minGeneration } = decodeJwt(session.access_token)
    expect((await outdated.settled()).flatMap(({ data }) => data.outdated ?? [])).toEqual([
      { id, minGeneration },
    ])
    await outdated.stop()
    const headers = { 'x-internal-token': auth.config.internalToken }
    const { body } = await call(`${auth.service.url}/internal/access`, 'GET', undefined, headers)
    expect(body.outdatedSessions).toContainEqual({ id, minGeneration, untilMs: expect.any(Number) })
    auth.clock.advance(2 * 3_600_000)
    await auth.housekeeping.run()
    expect(
      await auth.db.selectFrom('outdatedSessions').selectAll().where('id', '=', String(id)).execute(),
    ).toEqual([])
  })

  it('is refused outside the auth protocol once the factor was removed, until it is refreshed', async () => {
    const owner = await signUp(auth)
    const { id, session, requests } = await withFactor(auth, owner)
    const elevated = withBearer(owner, session.access_token)
    expect((await requests.send('DELETE', `/factors/${id}`)).status).toBe(200)
    expect((await api(auth, 'GET', '/me', elevated)).status).toBe(401)
    // Stock clients keep using it there, with aal1.
    expect((await protocol('GET', '/user', elevated)).status).toBe(200)
    const refreshed = await refresh(session)
    expect((await api(auth, 'GET', '/me', withBearer(owner, refreshed.access_token))).status).toBe(200)
    expect((await protocol('GET', '/user', elevated)).body.code).toBe('bad_jwt')
  })

  it('is refused after a change of the password, but not the token that changed it', async () => {
    const owner = await signUp(auth)
    const newer = withBearer(owner, (await refresh(owner)).access_token)
    expect((await protocol('PUT', '/user', newer, { password: 'a wholly new one' })).status).toBe(200)
    expect((await api(auth, 'GET', '/me', owner)).status).toBe(401)
    expect((await protocol('PUT', '/user', owner, { password: 'of the thief' })).body.code).toBe('bad_jwt')
    expect((await api(auth, 'GET', '/me', newer)).status).toBe(200)
  })
})

describe('personal access tokens', () => {
  it('end with all sessions of a user, and with those of all users', async () => {
    const admin = await staff(auth, 'admin')
    const [one, other] = [await signUp(auth), await signUp(auth)]
    const [first, second] = [(await createToken(one)).body, (await createToken(other)).body]
    await protocol('POST', '/logout', other)
    expect(await exchange(second.token)).not.toBeNull()
    const revoked = await auth.listen('auth.session.revoked.v1')
    expect((await api(auth, 'DELETE', `/users/${one.user.id}/sessions`, admin)).body).toEqual({ ended: 1 })
    expect([await exchange(first.token), await exchange(second.token)]).toEqual([null, expect.anything()])
    // Also of a user without a session.
    await api(auth, 'POST', '/users/end-sessions', admin, { all: true })
    expect(await exchange(second.token)).toBeNull()
    await auth.service.processAll()
    const ids = (await revoked.settled()).flatMap(({ data }) => data.sessionIds)
    expect(ids).toEqual(expect.arrayContaining([first.id, second.id]))
    await revoked.stop()
  })

  it('that a stolen session created end when the theft is detected', async () => {
    const owner = await signUp(auth)
    const kept = (
      await createToken(withBearer(owner, (await signIn(auth, owner.email, PASSWORD)).body.access_token))
    ).body
    const { body } = await createToken(owner)
    await refresh(await refresh(owner))
    auth.clock.advance(60_000)
    expect(await refresh(owner)).toMatchObject({ code: 'refresh_token_already_used' })
    expect(await exchange(body.token)).toBeNull()
    expect(await exchange(kept.token)).not.toBeNull()
  })

  it('are revoked at once on request', async () => {
    const owner = await signUp(auth)
    const made = [(await createToken(owner)).body, (await createToken(owner)).body]
    expect((await api(auth, 'DELETE', '/me/tokens', owner)).status).toBe(204)
    for (const { token } of made) expect(await exchange(token)).toBeNull()
  })

  it('from before a second factor know that their owner has one', async () => {
    const owner = await signUp(auth)
    const { body } = await createToken(owner)
    const before = decodeJwt((await exchange(body.token))!.accessToken)
    const outdated = await auth.listen('auth.session.revoked.v1')
    await withFactor(auth, owner)
    const after = decodeJwt((await exchange(body.token))!.accessToken)
    expect([before.second_factor, after.second_factor]).toEqual([undefined, 'enrolled'])
    await auth.service.processAll()
    const minGeneration = Number(after.refresh_generation)
    expect(minGeneration).toBeGreaterThan(Number(before.refresh_generation))
    expect((await outdated.settled()).flatMap(({ data }) => data.outdated ?? [])).toContainEqual({
      id: body.id,
      minGeneration,
    })
    await outdated.stop()
  })
})

/** A request of each row of the step-up table that requires something. */
const REQUESTS: Record<string, (session: TestSession) => Promise<Answer>> = {
  'auth.user.update | password': (session) => protocol('PUT', '/user', session, { password: 'of the thief' }),
  'auth.user.update | email': (session) => protocol('PUT', '/user', session, { email: newEmail() }),
  'auth.passkey.registration_options': (session) =>
    protocol('POST', '/passkeys/registration/options', session),
  'auth.passkey.register': (session) => protocol('POST', '/passkeys/registration/verify', session),
  'auth.passkey.delete': (session) => protocol('DELETE', `/passkeys/${UNKNOWN_ID}`, session),
  'auth.identity.link': (session) => protocol('GET', '/user/identities/authorize', session),
  'auth.identity.unlink': (session) => protocol('DELETE', `/user/identities/${UNKNOWN_ID}`, session),
  'auth.factor.enroll': (session) =>
    protocol('POST', '/factors', session, { factor_type: 'totp', friendly_name: newEmail() }),
  'auth.factor.unenroll': (session) => protocol('DELETE', `/factors/${UNKNOWN_ID}`, session),
  'auth.recovery_code.create': (session) => protocol('POST', '/factors/recovery-codes', session),
  'auth.recovery_code.replace': (session) => protocol('POST', '/factors/recovery-codes/regenerate', session),
  'auth.recovery_code.delete': (session) => protocol('DELETE', '/factors/recovery-codes', session),
  'auth.personal_token.create': createToken,
  'auth.device.decide | allow': async (session) => decide(auth, session, (await startDevice(auth)).user_code),
  'auth.account.export': (session) => api(auth, 'GET', '/export/account', session),
  'auth.user.set_role': (session) =>
    api(auth, 'PUT', `/users/${UNKNOWN_ID}/role`, session, { role: 'moderator' }),
  'auth.user.reset_password': (session) => api(auth, 'POST', `/users/${UNKNOWN_ID}/password-reset`, session),
}
const ROWS = [...PROOF_OF].filter(([, proof]) => proof !== 'none')
const REFUSALS_OF_SIGN_INS = ['reauthentication_needed', 'recent_sign_in_required']
const REFUSALS = [
  ...REFUSALS_OF_SIGN_INS,
  'insufficient_aal',
  'second_factor_required',
  'second_factor_outdated',
]

describe('every row of the step-up table', () => {
  it('that requires something has a request here', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(ROWS.map(([row]) => row).sort())
  })

  const setAge = async (of: TestSession, changes: { createdAt: Date; factorVerifiedAt?: Date }) => {
    await auth.db.updateTable('sessions').set(changes).where('userId', '=', of.user.id).execute()
  }
  const daysAgo = (days: number): Date => new Date(auth.clock.now() - days * DAY_MS)
  const codeOf = async (row: string, session: TestSession): Promise<string | undefined> =>
    (await REQUESTS[row]!(session)).body?.code

  it('refuses an old session of a user without a second factor, and lets a fresh one pass', async () => {
    const [old, fresh] = [await staff(auth, 'admin'), await staff(auth, 'admin')]
    for (const { user } of [old, fresh])
      await auth.db.updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()
    await setAge(old, { createdAt: daysAgo(40) })
    for (const [row, proof] of ROWS) {
      // Without a second factor, its proof cannot be demanded.
      if (proof !== 'factor')
        expect([row, REFUSALS_OF_SIGN_INS]).toEqual([row, expect.arrayContaining([await codeOf(row, old)])])
      // Recovery codes belong to a second factor.
      if (row.startsWith('auth.recovery_code.')) continue
      expect([row, REFUSALS]).not.toEqual([row, expect.arrayContaining([await codeOf(row, fresh)])])
    }
  })

  it('refuses an old second factor and a session without it, and lets a fresh one pass', async () => {
    const owner = await staff(auth, 'admin')
    const { id, secret, session } = await withFactor(auth, owner)
    const elevated = withBearer(owner, session.access_token)
    await setAge(owner, { createdAt: daysAgo(40), factorVerifiedAt: daysAgo(39) })
    const pending = withBearer(owner, (await signIn(auth, owner.email, PASSWORD)).body.access_token)
    for (const [row, proof] of ROWS) {
      expect([row, REFUSALS]).toEqual([row, expect.arrayContaining([await codeOf(row, pending)])])
      if (proof === 'factor') continue
      expect([row, REFUSALS]).toEqual([row, expect.arrayContaining([await codeOf(row, elevated)])])
    }
    const answer = await requestsOf(auth, session.access_token).verify(id, nextCode(auth, secret))
    const fresh = withBearer(owner, answer.body.access_token)
    for (const [row] of ROWS)
      expect([row, REFUSALS]).not.toEqual([row, expect.arrayContaining([await codeOf(row, fresh)])])
  })
})

describe('a wrong password in a session', () => {
  it('counts as a sign-in attempt, and its owner sees it', async () => {
    const owner = await signUp(auth)
    const guesses: (() => Promise<Answer>)[] = [
      () => protocol('PUT', '/user', owner, { password: 'a wholly new one', current_password: 'a guess' }),
      () => api(auth, 'DELETE', '/me', owner, { password: 'a guess' }),
    ]
    const seen: string[] = []
    for (let guess = 0; guess < 12; guess++) {
      const { status, body } = await guesses[guess % 2]!()
      seen.push(`${status} ${body.code}`)
    }
    expect(seen.slice(0, 2)).toEqual(['400 invalid_credentials', '403 forbidden'])
    expect(seen.slice(10)).toEqual(['429 over_request_rate_limit', '429 rate_limited'])
    const { items } = (await api(auth, 'GET', '/me/sign-ins', owner)).body
    expect(items.filter(({ succeeded }: { succeeded: boolean }) => !succeeded).length).toBe(10)
  })
})
