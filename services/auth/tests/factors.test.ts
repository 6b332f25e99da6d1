import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import { codeAt, nextCode, requestsOf, withFactor } from './_authenticator.ts'
import {
  call,
  housekeepingOf,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
} from './_harness.ts'
import { api, signIn, staff } from './_requests.ts'

const FIVE_MINUTES_MS = 300_000
const HOUR_MS = 3_600_000

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth({ RATE_LIMIT_FACTOR: '1' })
})
afterAll(() => auth.stop())

/** A session of this user that has only the password behind it. */
const passwordOnly = async (email: string, from?: string) => {
  const { body } = await signIn(auth, email, PASSWORD, from)
  return { ...requestsOf(auth, body.access_token, from), refreshToken: body.refresh_token as string }
}

it('a code is accepted once, and none of an earlier time step', async () => {
  const user = await signUp(auth)
  const { id, secret, requests } = await withFactor(auth, user)
  const used = codeAt(auth, secret)
  expect((await requests.verify(id, used)).body.code).toBe('mfa_verification_failed')
  expect((await requests.verify(id, codeAt(auth, secret, -1))).body.code).toBe('mfa_verification_failed')
  const challengeId = await requests.challenge(id)
  const code = nextCode(auth, secret)
  const answers = await Promise.all([1, 2, 3].map(() => requests.answer(id, challengeId, code)))
  // The first one raises the session, so that the token of the others is outdated.
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
  const { body } = answers.find(({ status }) => status === 200)!
  const current = requestsOf(auth, body.access_token)
  expect((await current.verify(id, codeAt(auth, secret, 3))).body.code).toBe('mfa_verification_failed')
})

it('guessing codes is limited per network and for the account, and a correct code costs nothing', async () => {
  const user = await signUp(auth)
  const { id, secret } = await withFactor(auth, user)
  const thief = await passwordOnly(user.email, '198.51.100.1')
  for (let guess = 0; guess < 10; guess++)
    expect((await thief.verify(id, '000000')).body.code).toBe('mfa_verification_failed')
  const limited = await thief.verify(id, nextCode(auth, secret))
  expect([limited.status, limited.body.code]).toEqual([429, 'over_request_rate_limit'])
  const owner = await passwordOnly(user.email, '203.0.113.50')
  const verified = await owner.verify(id, codeAt(auth, secret))
  expect(verified.status).toBe(200)
  const elevated = requestsOf(auth, verified.body.access_token, '203.0.113.50')
  for (let guess = 0; guess < 10; guess++) await elevated.recover('aaaabbbbccccdddd')
  const locked = await elevated.recover('aaaabbbbccccdddd')
  expect([locked.status, locked.body.code]).toEqual([429, 'mfa_recovery_codes_locked'])
  expect(locked.headers.get('retry-after')).toMatch(/^\d+$/)
})

it("another user's factor and challenge do not exist", async () => {
  const owner = await withFactor(auth, await signUp(auth))
  const thief = await withFactor(auth, await signUp(auth))
  const challengeId = await owner.requests.challenge(owner.id)
  const code = nextCode(auth, owner.secret)
  const answers = [
    await thief.requests.send('POST', `/factors/${owner.id}/challenge`, {}),
    await thief.requests.answer(owner.id, challengeId, code),
    await thief.requests.answer(thief.id, challengeId, codeAt(auth, thief.secret)),
    await thief.requests.send('DELETE', `/factors/${owner.id}`),
  ]
  for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'mfa_factor_not_found'])
  expect((await owner.requests.answer(owner.id, challengeId, code)).status).toBe(200)
})

it('a challenge expires and belongs to its network, and a factor keeps ten of them', async () => {
  const user = await signUp(auth)
  const { id, secret, session, requests } = await withFactor(auth, user)
  const elsewhere = requestsOf(auth, session.access_token, '198.51.100.9')
  const challengeId = await requests.challenge(id)
  const mismatch = await elsewhere.answer(id, challengeId, nextCode(auth, secret))
  expect(mismatch.body.code).toBe('mfa_ip_address_mismatch')
  auth.clock.advance(FIVE_MINUTES_MS)
  expect((await requests.answer(id, challengeId, codeAt(auth, secret))).body.code).toBe(
    'mfa_challenge_expired',
  )
  for (let more = 0; more < 12; more++) await requests.challenge(id)
  const open = () => auth.db.selectFrom('factorChallenges').selectAll().where('factorId', '=', id).execute()
  expect(await open()).toHaveLength(10)
  auth.clock.advance(FIVE_MINUTES_MS + HOUR_MS)
  await auth.housekeeping.run()
  expect(await open()).toEqual([])
})

it('a session without the second factor changes neither the account nor its factors', async () => {
  const user = await signUp(auth)
  const { id, secret, requests } = await withFactor(auth, user)
  const created = await requests.send('POST', '/factors/recovery-codes')
  expect(created.status).toBe(200)
  const thief = await passwordOnly(user.email)
  const refused = [
    await thief.enroll('Mine'),
    await thief.send('DELETE', `/factors/${id}`),
    await thief.send('PUT', '/user', { password: 'another long password' }),
    await thief.send('PUT', '/user', { email: 'thief@example.test' }),
    await thief.send('POST', '/factors/recovery-codes'),
    await thief.send('POST', '/factors/recovery-codes/regenerate'),
    await thief.send('DELETE', '/factors/recovery-codes'),
  ]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'insufficient_aal'])
  // What belongs to the owner alone is refused by every other endpoint too.
  const { body: session } = await signIn(auth, user.email, PASSWORD)
  const pending = { ...user, headers: bearerOf(session.access_token) }
  const me = await api(auth, 'GET', '/me', pending)
  expect([me.status, me.body.code]).toEqual([403, 'second_factor_required'])
  expect((await api(auth, 'DELETE', '/me', pending, {})).body.code).toBe('second_factor_required')
  const { body: verified } = await requestsOf(auth, session.access_token).verify(id, nextCode(auth, secret))
  const complete = { ...user, headers: bearerOf(verified.access_token) }
  expect((await api(auth, 'GET', '/me', complete)).status).toBe(200)
  // The token from before the second factor gains nothing by what its session has proved since.
  expect((await api(auth, 'GET', '/me', pending)).body.code).toBe('second_factor_required')
  const early = requestsOf(auth, session.access_token)
  expect((await early.send('DELETE', `/factors/${id}`)).body.code).toBe('bad_jwt')
})

it('a refresh token from before the second factor obtains no session with aal2', async () => {
  const user = await signUp(auth)
  const { id, secret } = await withFactor(auth, user)
  const owner = await passwordOnly(user.email)
  const verified = await owner.verify(id, nextCode(auth, secret))
  const refresh = (token: string) =>
    call(`${auth.url}/token?grant_type=refresh_token`, 'POST', { refresh_token: token })
  expect((await refresh(owner.refreshToken)).body.code).toBe('refresh_token_already_used')
  expect((await refresh(verified.body.refresh_token)).status).toBe(400)
})

it('a user has ten factors at most, and an unverified one ends after 15 minutes', async () => {
  const user = await signUp(auth)
  const requests = requestsOf(auth, user.access_token, '203.0.113.77')
  const answers = []
  for (let n = 0; n < 11; n++) answers.push(await requests.enroll(`Phone ${n}`))
  expect(answers.slice(0, 10).every(({ status }) => status === 200)).toBe(true)
  expect(answers.at(-1)?.body.code).toBe('too_many_enrolled_mfa_factors')
  const { body: phone } = await requests.send('POST', '/factors', { factor_type: 'phone' })
  expect(phone.code).toBe('mfa_phone_enroll_not_enabled')
  for (const body of [{}, { factor_type: 'sms' }, { factor_type: 'totp', friendly_name: 7 }])
    expect((await requests.send('POST', '/factors', body)).body.code).toBe('validation_failed')
  expect((await requests.send('POST', '/factors/nothing/challenge', {})).body.code).toBe('validation_failed')
  const last: { id: string } = answers[9]?.body
  auth.clock.advance(16 * 60_000)
  await auth.housekeeping.run()
  const challenge = await requests.send('POST', `/factors/${last.id}/challenge`, {})
  expect(challenge.body.code).toBe('mfa_factor_not_found')
  const { body } = await requests.send('GET', '/user')
  expect(body.factors).toBe(undefined)
})

it('its owner is notified by mail of every change and of a used recovery code', async () => {
  const user = await signUp(auth)
  const { id, requests } = await withFactor(auth, user)
  const { codes } = (await requests.send('POST', '/factors/recovery-codes')).body
  const phoneless = await passwordOnly(user.email, '203.0.113.90')
  const { body } = await phoneless.recover(codes[0])
  await requestsOf(auth, body.access_token).send('DELETE', `/factors/${id}`)
  const subjects = () => auth.sink.to(user.email).map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1] ?? '')
  await until('four mails have arrived', () => subjects().length === 4)
  const text = subjects().toSorted().join('\n')
  for (const part of ['turned on', 'New recovery codes', 'recovery code of', 'removed from'])
    expect(text).toContain(part)
  const mails = auth.sink.to(user.email).map(({ raw }) => raw)
  expect(mails.join()).toContain('9 codes are left.')
  expect(mails.join()).not.toContain(codes[0])
})

it('moderators and admins are asked for a second factor, or have no rights without one', async () => {
  const admin = await staff(auth, 'admin')
  const me = async (user: TestSession) => (await api(auth, 'GET', '/me', user)).body
  expect(await me(admin)).toMatchObject({ role: 'admin', secondFactor: 'recommended' })
  const viewer = await signUp(auth)
  expect(await me(viewer)).toMatchObject({ role: 'user', secondFactor: null })
  await auth.restart({ SECOND_FACTOR: 'required' })
  expect(await me(admin)).toMatchObject({ role: 'user', isAdmin: false, secondFactor: 'required' })
  const refused = [
    await api(auth, 'GET', '/users', admin),
    await api(auth, 'PUT', `/users/${viewer.user.id}/role`, admin, { role: 'user' }),
    await api(auth, 'POST', `/users/${viewer.user.id}/restrictions`, admin, {
      restrictionType: 'chat_banned',
      reason: 'none',
    }),
  ]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'second_factor_required'])
  const { session } = await withFactor(auth, admin)
  const complete = { ...admin, headers: bearerOf(session.access_token) }
  expect(await me(complete)).toMatchObject({ role: 'admin', secondFactor: null })
  expect((await api(auth, 'GET', '/users', complete)).status).toBe(200)
})

it('a role is changed only within ten minutes of a code, by an admin with a second factor', async () => {
  const admin = await staff(auth, 'admin')
  const viewer = await signUp(auth)
  const promote = (accessToken: string) =>
    call(
      `${auth.service.url}/api/users/${viewer.user.id}/role`,
      'PUT',
      { role: 'moderator' },
      bearerOf(accessToken),
    )
  const { id, secret, session, requests } = await withFactor(auth, admin)
  expect((await promote(session.access_token)).status).toBe(200)
  const factorVerifiedAt = new Date(Date.now() - 11 * 60_000)
  await auth.db.updateTable('sessions').set({ factorVerifiedAt }).where('factorId', '=', id).execute()
  const refresh = { refresh_token: session.refresh_token }
  const { body: later } = await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', refresh)
  const refused = await promote(later.access_token)
  expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_outdated'])
  const { body: fresh } = await requests.verify(id, nextCode(auth, secret))
  expect((await promote(fresh.access_token)).status).toBe(200)
})

it('secrets are stored encrypted, codes hashed, and a change of AUTH_KEY_SECRET keeps both', async () => {
  const user = await signUp(auth)
  const { id, secret, requests } = await withFactor(auth, user)
  const { codes } = (await requests.send('POST', '/factors/recovery-codes')).body
  const stored = async () =>
    (await auth.db.selectFrom('factors').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
      .sealedSecret as Buffer
  expect((await stored()).includes(secret)).toBe(false)
  const digests = await auth.db.selectFrom('recoveryCodes').selectAll().execute()
  for (const { codeDigest } of digests) expect(codes).not.toContain(codeDigest.toString())
  const former = auth.config.keySecret
  const next = 'the next secret, which is long enough'
  await auth.restart({ AUTH_KEY_SECRET: next, AUTH_KEY_SECRET_PREVIOUS: former })
  await housekeepingOf(auth, new Vault(next, former)).run()
  expect(new Vault(next).isCurrent(await stored(), id)).toBe(true)
  await auth.restart({ AUTH_KEY_SECRET: next })
  const owner = await passwordOnly(user.email)
  expect((await owner.verify(id, nextCode(auth, secret))).status).toBe(200)
  expect((await (await passwordOnly(user.email)).recover(codes[3])).status).toBe(200)
})
