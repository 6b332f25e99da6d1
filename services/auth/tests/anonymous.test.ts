import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call, signUp, startAuth, type TestAuth, type TestSession } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { api, post, staff } from './_requests.ts'
import { SERVICE_KEY } from './auth-js/admin-client.ts'
import { anonymousSuite } from './auth-js/anonymous.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth({ ANONYMOUS_SIGN_IN: 'on', AUTH_SERVICE_KEY: SERVICE_KEY })
})
afterAll(() => auth.stop())

anonymousSuite(() => auth)

const DAY_MS = 86_400_000

const enter = (on: TestAuth, from = '203.0.113.1'): Promise<Answer> =>
  post(on, '/signup', { data: {} }, { 'x-forwarded-for': from })

async function anonymous(on: TestAuth): Promise<TestSession> {
  const { status, body } = await enter(on)
  expect(status).toBe(200)
  return { ...body, headers: bearerOf(body.access_token) }
}

describe('an anonymous user outside the auth protocol', () => {
  it('may read their profile and delete their account', async () => {
    const viewer = await anonymous(auth)
    const me = await api(auth, 'GET', '/me', viewer)
    expect(me.body).toMatchObject({ email: null, role: 'user', hasPassword: false })
    expect((await api(auth, 'GET', '/me/sessions', viewer)).status).toBe(200)
    auth.clock.advance(DAY_MS / 100)
    expect((await api(auth, 'DELETE', '/me', viewer, {})).status).toBe(204)
    expect((await api(auth, 'GET', '/me', viewer)).status).toBe(401)
  })

  it('receives in the refusal what requires an account', async () => {
    const viewer = await anonymous(auth)
    const token = { name: 'Backup', scopes: ['read'], lifetimeDays: 30 }
    for (const [method, path, body, message] of [
      ['POST', '/me/tokens', token, 'Create an account to create access tokens.'],
      [
        'PATCH',
        `/profiles/${viewer.user.id}`,
        { artistName: 'Ada' },
        'Create an account to change your profile.',
      ],
      ['GET', '/users', undefined, 'Create an account to do this.'],
    ] as const) {
      const { status, body: refusal } = await api(auth, method, path, viewer, body)
      expect([path, status, refusal.code, refusal.message]).toEqual([path, 403, 'forbidden', message])
    }
  })

  it('who attempts an admin or moderator action is reported with a digest of the network, others are not', async () => {
    const viewer = await anonymous(auth)
    const reported = () => auth.guard.reported.filter(({ userId }) => userId === viewer.user.id)
    await api(auth, 'POST', '/me/tokens', viewer, { name: 'Backup', scopes: ['read'], lifetimeDays: 30 })
    await api(auth, 'GET', '/users', viewer)
    await api(auth, 'POST', `/users/${viewer.user.id}/restrictions`, viewer, {})
    await until('both are reported', () => reported().length === 2)
    expect(reported()).toMatchObject([
      { operation: 'auth.user.list', role: 'user', lacks: 'account', network: expect.any(String) },
      { operation: 'auth.user.restrict', role: 'user', lacks: 'account', network: expect.any(String) },
    ])
    const other = await anonymous(auth)
    await api(auth, 'GET', '/users', other)
    await until('it is reported', () => auth.guard.reported.some(({ userId }) => userId === other.user.id))
    expect(new Set(auth.guard.reported.map(({ network }) => network)).size).toBe(1)
  })

  it('is not listed for viewers, and has no email in the list of admins', async () => {
    const viewer = await anonymous(auth)
    const { handle } = (await api(auth, 'GET', '/me', viewer)).body.profile
    const listed = await api(auth, 'GET', `/profiles?q=${handle}`, await signUp(auth))
    expect([listed.status, listed.body.items]).toEqual([200, []])
    const { body } = await api(auth, 'GET', `/users?q=${handle}`, await staff(auth, 'admin'))
    expect(body.items).toMatchObject([{ id: viewer.user.id, email: null, profile: { handle } }])
  })

  it('gets no role', async () => {
    const viewer = await anonymous(auth)
    const headers = bearerOf(SERVICE_KEY)
    const path = `${auth.url}/admin/users/${viewer.user.id}`
    const { status } = await call(path, 'PUT', { app_metadata: { role: 'moderator' } }, headers)
    expect(status).toBe(409)
  })
})

describe('anonymous sign-ins', () => {
  it('are refused unless the settings offer them', async () => {
    const closed = await startForTest()
    const refused = async () => {
      const { status, body } = await enter(closed)
      return [status, body.code]
    }
    expect(await refused()).toEqual([422, 'anonymous_provider_disabled'])
    for (const policy of ['closed', 'invitation']) {
      await closed.restart({ ANONYMOUS_SIGN_IN: 'on', SIGN_UP: policy })
      expect(await refused()).toEqual([422, 'signup_disabled'])
    }
    expect(await closed.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  it('count as sign-ups of their network and of the station', async () => {
    const limited = await startForTest({
      ANONYMOUS_SIGN_IN: 'on',
      RATE_LIMIT_FACTOR: '0.05',
      SIGN_UPS_PER_MINUTE: '80',
    })
    for (let count = 0; count < 3; count += 1) expect((await enter(limited)).status).toBe(200)
    expect((await enter(limited)).body.code).toBe('over_request_rate_limit')
    expect((await enter(limited, '198.51.100.1')).status).toBe(200)
    expect((await enter(limited, '192.0.2.1')).body.code).toBe('over_request_rate_limit')
  })

  it('require a proof of work where sign-ups do', async () => {
    const guarded = await startForTest({ ANONYMOUS_SIGN_IN: 'on', PROOF_OF_WORK: 'sign-up' })
    const { status, body } = await enter(guarded)
    expect([status, body.code]).toEqual([400, 'captcha_failed'])
    expect(body.challenge).toBeDefined()
  })
})

it('deletes unused anonymous users, and only them', async () => {
  const station = await startForTest({ ANONYMOUS_SIGN_IN: 'on', ANONYMOUS_ACCOUNT_DAYS: '10' })
  const [gone, here] = [await anonymous(station), await anonymous(station)]
  const deleted = await station.listen('auth.user.deleted.v1')
  station.clock.advance(6 * DAY_MS)
  const refreshed = await post(station, '/token?grant_type=refresh_token', {
    refresh_token: here.refresh_token,
  })
  expect(refreshed.status).toBe(200)
  await station.housekeeping.run()
  expect(await station.db.selectFrom('users').select('id').execute()).toHaveLength(2)
  station.clock.advance(5 * DAY_MS)
  await station.housekeeping.run()
  const left = await station.db.selectFrom('users').select('id').execute()
  expect(left).toEqual([{ id: here.user.id }])
  await expect.poll(() => deleted.received().map(({ data }) => data.userId)).toEqual([gone.user.id])
  await deleted.stop()
})
