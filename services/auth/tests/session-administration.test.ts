import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, PASSWORD, signUp, startAuth, type TestAuth, type TestSession, VERSION } from './_harness.ts'
import { api, post, signIn, staff } from './_requests.ts'

let auth: TestAuth
let admin: TestSession
let moderator: TestSession
beforeAll(async () => {
  auth = await startAuth()
  admin = await staff(auth, 'admin')
  moderator = await staff(auth, 'moderator')
})
afterAll(() => auth.stop())

const userWith = (token: string) =>
  call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, ...bearerOf(token) })
const setPassword = (token: string, body: Record<string, string>) =>
  call(`${auth.url}/user`, 'PUT', body, { ...VERSION, ...bearerOf(token) })
const reset = (viewer: TestSession, by = admin) =>
  api(auth, 'POST', `/users/${viewer.user.id}/password-reset`, by)

describe("ending a user's sessions", () => {
  it('ends all of them at once, with events and an audit entry', async () => {
    const viewer = await signUp(auth)
    const second = (await signIn(auth, viewer.email, PASSWORD)).body
    const [revoked, audit] = await Promise.all([
      auth.listen('auth.session.revoked.v1'),
      auth.listen('auth.audit.recorded.v1'),
    ])
    const answer = await api(auth, 'DELETE', `/users/${viewer.user.id}/sessions`, admin)
    expect(answer).toMatchObject({ status: 200, body: { ended: 2 } })
    for (const token of [viewer.access_token, second.access_token]) {
      expect((await userWith(token)).body.code).toBe('session_not_found')
    }
    await auth.service.processAll()
    expect(await revoked.settled()).toMatchObject([{ data: { userId: viewer.user.id } }])
    expect(await audit.settled()).toMatchObject([
      {
        actorId: admin.user.id,
        data: { action: 'user.sessions.end', targetUserId: viewer.user.id, after: { sessions: 2 } },
      },
    ])
    expect((await signIn(auth, viewer.email, PASSWORD)).status).toBe(200)
    await Promise.all([revoked.stop(), audit.stop()])
  })

  it('is refused for moderators and for one’s own account', async () => {
    const viewer = await signUp(auth)
    const path = (of: TestSession) => `/users/${of.user.id}/sessions`
    expect((await api(auth, 'DELETE', path(viewer), moderator)).status).toBe(403)
    expect(await api(auth, 'DELETE', path(admin), admin)).toMatchObject({ status: 409 })
    expect((await userWith(viewer.access_token)).status).toBe(200)
    expect((await reset(viewer, moderator)).status).toBe(403)
    expect((await reset(admin)).status).toBe(409)
    expect((await api(auth, 'POST', '/users/end-sessions', moderator, { all: true })).status).toBe(403)
  })
})

describe('a password reset by an admin', () => {
  it('ends password and sessions; the mailed link sets another password', async () => {
    const viewer = await signUp(auth)
    expect((await reset(viewer)).status).toBe(204)
    expect((await userWith(viewer.access_token)).body.code).toBe('session_not_found')
    expect((await signIn(auth, viewer.email, PASSWORD)).body).toMatchObject({
      code: 'reauthentication_needed',
      message: expect.stringContaining('An administrator has reset your password'),
    })
    expect((await signIn(auth, viewer.email, 'not the password')).body.code).toBe('invalid_credentials')

    const mail = await auth.sink.latest(viewer.email, 'recovery')
    expect(mail.raw).toContain('An administrator has reset the password')
    const { body } = await post(auth, '/verify', { type: 'recovery', token_hash: mail.tokenHash })
    expect((await setPassword(body.access_token, { password: PASSWORD })).body.code).toBe('same_password')
    expect((await signIn(auth, viewer.email, PASSWORD)).body.code).toBe('reauthentication_needed')
    expect((await setPassword(body.access_token, { password: 'another fine password' })).status).toBe(200)
    expect((await signIn(auth, viewer.email, 'another fine password')).status).toBe(200)
  })

  it('leaves mailed links as a way to sign in, but not the old password as a proof', async () => {
    const viewer = await signUp(auth)
    await reset(viewer)
    auth.clock.advance(300_000)
    await post(auth, '/otp', { email: viewer.email })
    const mail = await until('the link is mailed', () =>
      auth.sink.to(viewer.email).find(({ type }) => type === 'magiclink'),
    )
    const { body } = await post(auth, '/verify', { type: 'magiclink', token_hash: mail.tokenHash })
    await auth.db
      .updateTable('sessions')
      .set({ createdAt: new Date(auth.clock.now() - 2 * 86_400_000) })
      .where('userId', '=', viewer.user.id)
      .execute()
    const change = { password: 'another fine password', current_password: PASSWORD }
    expect((await setPassword(body.access_token, change)).body.code).toBe('reauthentication_needed')
  })

  it('is guarded, audited, and refused for an account without a password', async () => {
    const viewer = await signUp(auth)
    const audit = await auth.listen('auth.audit.recorded.v1')
    auth.guard.requests.length = 0
    await reset(viewer)
    expect(auth.guard.requests).toMatchObject([
      { userId: admin.user.id, action: 'user.password.admin', targetUserId: viewer.user.id },
    ])
    await auth.db.updateTable('users').set({ passwordHash: null }).where('id', '=', viewer.user.id).execute()
    expect(await reset(viewer)).toMatchObject({ status: 409 })
    await auth.service.processAll()
    const entries = (await audit.settled()).filter(({ data }) => data.targetUserId === viewer.user.id)
    expect(entries.map(({ data }) => data.action)).toEqual(['user.password.reset'])
    await audit.stop()
  })
})

it('the sessions of all users end, and the users can sign in again', async () => {
  const viewers = await Promise.all([signUp(auth), signUp(auth)])
  const audit = await auth.listen('auth.audit.recorded.v1')
  expect((await api(auth, 'POST', '/users/end-sessions', admin, {})).status).toBe(400)
  const answer = await api(auth, 'POST', '/users/end-sessions', admin, { all: true })
  expect(answer.status).toBe(200)
  expect(answer.body.ended).toBeGreaterThanOrEqual(4)
  for (const { access_token } of [...viewers, admin]) {
    expect((await userWith(access_token)).body.code).toBe('session_not_found')
  }
  expect((await auth.db.selectFrom('sessions').select('id').execute()).length).toBe(0)
  await auth.service.processAll()
  expect((await audit.settled()).map(({ data }) => data.action)).toEqual(['user.sessions.end_all'])
  await audit.stop()
  for (const { email } of viewers) expect((await signIn(auth, email, PASSWORD)).status).toBe(200)
})
