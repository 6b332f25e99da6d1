import { DEVICE_GRANT } from '@looptide/contracts/http/devices'
import { USER_CODE_LETTERS } from '@looptide/contracts/user-codes'
import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withFactor } from './_authenticator.ts'
import { decide, lookUp, pairTv, poll, sendForm, startDevice } from './_devices.ts'
import { call, PASSWORD, SITE, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'
import { api, post, staff } from './_requests.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const MINUTE_MS = 60_000
const errorOf = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

describe('a stock client', () => {
  it('finds the endpoints, waits for the decision and gets a session', async () => {
    // The station is at SITE; this test reaches auth without a gateway, which passes the path of RFC 8414 §3.1 on.
    const reach: openid.CustomFetch = (url, options) =>
      fetch(url.replace(SITE, auth.service.url), options as RequestInit)
    const config = await openid.discovery(new URL(`${SITE}/auth/v1`), 'tv', undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: reach,
    })
    const device = await openid.initiateDeviceAuthorization(config, { scope: '' })
    expect(device.user_code).toMatch(new RegExp(`^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$`))
    expect(device).toMatchObject({
      verification_uri: `${SITE}/pair`,
      verification_uri_complete: `${SITE}/pair?code=${device.user_code}`,
      expires_in: 900,
      interval: 5,
    })
    const owner = await signUp(auth)
    const waiting = openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.05 })
    expect((await decide(auth, owner, device.user_code)).status).toBe(204)
    const tokens = await waiting
    expect(tokens).toMatchObject({ token_type: 'bearer', user: { id: owner.user.id } })
    expect((await call(`${auth.url}/user`, 'GET', undefined, bearer(tokens.access_token))).status).toBe(200)
    const refreshed = await post(auth, '/token?grant_type=refresh_token', {
      refresh_token: tokens.refresh_token,
    })
    expect(refreshed.status).toBe(200)
    expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ scope: 'read playlists chat requests' })
  })
})

const bearer = (token: string) => ({ ...VERSION, authorization: `Bearer ${token}` })

describe('a device code', () => {
  it('is answered with the errors of RFC 8628, and asks slower if the device asks too often', async () => {
    auth.clock.stop()
    const device = await startDevice(auth)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'authorization_pending'])
    expect(errorOf(await poll(auth, device))).toEqual([400, 'slow_down'])
    auth.clock.advance(6000)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'slow_down'])
    auth.clock.advance(16_000)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'authorization_pending'])
    auth.clock.advance(15 * MINUTE_MS)
    const expired = await poll(auth, device)
    expect(errorOf(expired)).toEqual([400, 'expired_token'])
    expect(Object.keys(expired.body)).toEqual(['error', 'error_description'])
    expect(errorOf(await poll(auth, { ...device, device_code: 'unknown' }))).toEqual([400, 'invalid_grant'])
  })

  it('asks slower by at most a minute, however often the device asks, and is none of the other codes', async () => {
    auth.clock.stop()
    const device = await startDevice(auth)
    for (let i = 0; i < 20; i += 1) await poll(auth, device)
    auth.clock.advance(MINUTE_MS)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'authorization_pending'])
    const { user_code: userCode } = device
    expect(errorOf(await poll(auth, { ...device, device_code: userCode }))).toEqual([400, 'invalid_grant'])
    const refreshed = await post(auth, '/token?grant_type=refresh_token', {
      refresh_token: device.device_code,
    })
    expect(codeOf(refreshed)).toEqual([400, 'validation_failed'])
  })

  it('may be sent as JSON, with the grant type in the address', async () => {
    const { body: device } = await post(auth, '/device', { client_id: 'tv' })
    const ask = (body: object) => post(auth, `/token?grant_type=${encodeURIComponent(DEVICE_GRANT)}`, body)
    expect(errorOf(await ask({ device_code: device.device_code }))).toEqual([400, 'authorization_pending'])
    expect(errorOf(await ask({}))).toEqual([400, 'invalid_request'])
    expect(errorOf(await ask({ device_code: device.device_code, client_id: 'x' }))).toEqual([
      400,
      'invalid_client',
    ])
  })

  it('is not issued to unknown clients or for malformed requests', async () => {
    expect(errorOf(await sendForm(auth, '/device', { client_id: 'phone' }))).toEqual([400, 'invalid_client'])
    expect(errorOf(await sendForm(auth, '/device', { client_id: '' }))).toEqual([400, 'invalid_request'])
    expect(errorOf(await sendForm(auth, '/device', 'client_id=tv&client_id=tv'))).toEqual([
      400,
      'invalid_request',
    ])
    expect(errorOf(await post(auth, '/device', '{"client_id":'))).toEqual([400, 'invalid_request'])
  })

  it('gets a denial, also after the user code has expired', async () => {
    const device = await startDevice(auth)
    expect((await decide(auth, await signUp(auth), device.user_code, 'deny')).status).toBe(204)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'access_denied'])
    auth.clock.advance(20 * MINUTE_MS)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'access_denied'])
  })

  it('gives one session, however many requests come at once', async () => {
    const [owner, device] = [await signUp(auth), await startDevice(auth)]
    await decide(auth, owner, device.user_code)
    const answers = await Promise.all(Array.from({ length: 6 }, () => poll(auth, device)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
    expect(errorOf(await poll(auth, device))).toEqual([400, 'invalid_grant'])
    expect((await api(auth, 'GET', '/me/sessions', owner)).body.items).toHaveLength(2)
  })

  it('gives none if the session that allowed it ended meanwhile', async () => {
    const [owner, device] = [await signUp(auth), await startDevice(auth)]
    await decide(auth, owner, device.user_code)
    await call(`${auth.url}/logout?scope=global`, 'POST', undefined, { ...VERSION, ...owner.headers })
    expect(errorOf(await poll(auth, device))).toEqual([400, 'access_denied'])
  })

  it('is stored as a digest, as is its user code, and is deleted an hour after it has expired', async () => {
    const { device_code: deviceCode, user_code: userCode } = await startDevice(auth)
    const rows = () => auth.db.selectFrom('deviceGrants').selectAll().execute()
    const stored = JSON.stringify(await rows(), (_, value) =>
      value instanceof Object && value.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
    )
    expect(stored).not.toContain(deviceCode)
    expect(stored).not.toContain(userCode.replace('-', ''))
    auth.clock.advance(60 * MINUTE_MS)
    await auth.housekeeping.run()
    expect(await rows()).not.toEqual([])
    auth.clock.advance(16 * MINUTE_MS)
    await auth.housekeeping.run()
    expect(await rows()).toEqual([])
  })
})

describe('a user code', () => {
  it('is read without regard to case, spaces and hyphens, and shows what asks', async () => {
    const [owner, { user_code: code }] = [await signUp(auth), await startDevice(auth, ' Kitchen\u202e TV ')]
    const typed = ` ${code.toLowerCase().replace('-', ' – ')} `
    expect((await lookUp(auth, owner, typed)).body).toMatchObject({
      user_code: code,
      device: 'Kitchen TV',
      network: '198.51.100.0/24',
      same_network: false,
    })
    expect((await lookUp(auth, owner, code, '198.51.100.20')).body.same_network).toBe(true)
    expect((await decide(auth, owner, typed.trim())).status).toBe(204)
  })

  it('is used once: of an allowing and a denying at once, one counts', async () => {
    const [one, two, device] = [await signUp(auth), await signUp(auth), await startDevice(auth)]
    const answers = await Promise.all([
      decide(auth, one, device.user_code, 'allow'),
      decide(auth, two, device.user_code, 'deny'),
      decide(auth, one, device.user_code, 'deny'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400])
    expect(codeOf(answers.find(({ status }) => status === 400)!)).toEqual([400, 'user_code_used'])
    const { status, body } = await poll(auth, device)
    if (answers[0]!.status === 204) expect(body.user.id).toBe(one.user.id)
    else expect(status).toBe(400)
    expect(codeOf(await lookUp(auth, one, device.user_code))).toEqual([400, 'user_code_used'])
  })

  it('cannot be taken over or denied by another account once it is allowed', async () => {
    const [owner, other, device] = [await signUp(auth), await signUp(auth), await startDevice(auth)]
    expect((await decide(auth, owner, device.user_code)).status).toBe(204)
    for (const decision of ['allow', 'deny'])
      expect(codeOf(await decide(auth, other, device.user_code, decision))).toEqual([400, 'user_code_used'])
    expect(await poll(auth, device)).toMatchObject({ status: 200, body: { user: { id: owner.user.id } } })
    expect((await api(auth, 'GET', '/me/sessions', other)).body.items).toHaveLength(1)
  })

  it('expires', async () => {
    const device = await startDevice(auth)
    auth.clock.advance(15 * MINUTE_MS + 1)
    const owner = await signUp(auth)
    expect(codeOf(await lookUp(auth, owner, device.user_code))).toEqual([400, 'user_code_expired'])
    expect(codeOf(await decide(auth, owner, device.user_code))).toEqual([400, 'user_code_expired'])
  })

  it('is refused to users without an account, restricted ones, access tokens and other devices', async () => {
    const { user_code: code } = await startDevice(auth)
    const none = await decide(auth, { headers: { authorization: '' } }, code)
    expect(codeOf(none)).toEqual([401, 'no_authorization'])
    const restricted = await signUp(auth)
    await auth.db
      .insertInto('userRestrictions')
      .values({
        id: restricted.user.id,
        userId: restricted.user.id,
        restrictionType: 'restricted',
        reason: 'spam',
        createdBy: null,
        createdAt: new Date(),
        expiresAt: null,
        createdByRole: null,
      })
      .execute()
    expect(codeOf(await decide(auth, restricted, code))).toEqual([403, 'user_restricted'])
    expect(codeOf(await lookUp(auth, restricted, code))).toEqual([403, 'user_restricted'])
    const owner = await signUp(auth)
    const tv = await pairTv(auth, owner)
    expect(codeOf(await decide(auth, tv, code))).toEqual([403, 'insufficient_scope'])
    const { body } = await api(auth, 'POST', '/me/tokens', owner, {
      name: 'Script',
      scopes: ['read'],
      lifetimeDays: 7,
    })
    expect(codeOf(await decide(auth, { headers: { authorization: `Bearer ${body.token}` } }, code))).toEqual([
      403,
      'bad_jwt',
    ])
  })

  it('needs a recent sign-in to be allowed, and none to be denied', async () => {
    const owner = await signUp(auth)
    auth.clock.advance(25 * 60 * MINUTE_MS)
    const { body } = await post(auth, '/token?grant_type=refresh_token', {
      refresh_token: owner.refresh_token,
    })
    const late = { headers: { authorization: `Bearer ${body.access_token}` } }
    const { user_code: code } = await startDevice(auth)
    expect(codeOf(await decide(auth, late, code))).toEqual([400, 'reauthentication_needed'])
    expect((await decide(auth, late, code, 'deny')).status).toBe(204)
  })
})

describe('the session of a TV', () => {
  it('is listed with its name, survives a second factor elsewhere, and ends with the owner’s sign-out', async () => {
    const owner = await signUp(auth)
    const tv = await pairTv(auth, owner, 'Bedroom TV')
    const { body } = await api(auth, 'GET', '/me/sessions', owner)
    expect(body.items.find(({ paired }: { paired: boolean }) => paired)).toMatchObject({
      device: 'Bedroom TV',
      network: '198.51.100.0/24',
      current: false,
    })
    const { session } = await withFactor(auth, owner)
    expect((await api(auth, 'GET', '/me', tv)).status).toBe(200)
    await call(`${auth.url}/logout?scope=global`, 'POST', undefined, bearer(session.access_token))
    expect((await api(auth, 'GET', '/me', tv)).status).toBe(401)
    const refreshed = await post(auth, '/token?grant_type=refresh_token', { refresh_token: tv.refresh_token })
    expect(codeOf(refreshed)).toEqual([400, 'refresh_token_not_found'])
  })

  it('has no rights of staff, and manages neither the account nor other sessions', async () => {
    const admin = await staff(auth, 'admin')
    const tv = await pairTv(auth, admin)
    expect((await api(auth, 'GET', '/me', tv)).body).toMatchObject({ role: 'user', isAdmin: false })
    const requests: [string, string, unknown?][] = [
      ['GET', '/users'],
      ['GET', '/me/sessions'],
      ['POST', '/me/tokens', { name: 'More', scopes: ['read'], lifetimeDays: 7 }],
      ['DELETE', '/me', { password: PASSWORD }],
      ['PATCH', `/profiles/${admin.user.id}`, { artistName: 'Thief' }],
    ]
    for (const [method, path, body] of requests) {
      const answer = await api(auth, method, path, tv, body)
      expect([path, ...codeOf(answer)]).toEqual([path, 403, 'insufficient_scope'])
    }
    const email = await call(
      `${auth.url}/user`,
      'PUT',
      { email: 'thief@example.test' },
      bearer(tv.access_token),
    )
    expect(codeOf(email)).toEqual([403, 'insufficient_scope'])
    const passkey = await post(auth, '/passkeys/registration/options', {}, bearer(tv.access_token))
    expect(codeOf(passkey)).toEqual([403, 'insufficient_scope'])
    // The stock client's sign-out is global by default.
    const out = await call(`${auth.url}/logout`, 'POST', undefined, bearer(tv.access_token))
    expect(out.status).toBe(204)
    expect((await api(auth, 'GET', '/me', admin)).status).toBe(200)
    expect((await api(auth, 'GET', '/me', tv)).status).toBe(401)
  })

  it('is gone with the account, as are codes that wait for the TV', async () => {
    const owner = await signUp(auth)
    const [tv, device] = [await pairTv(auth, owner), await startDevice(auth)]
    await decide(auth, owner, device.user_code)
    expect((await api(auth, 'DELETE', '/me', owner, { password: PASSWORD })).status).toBe(204)
    expect((await api(auth, 'GET', '/me', tv)).status).toBe(401)
    expect(errorOf(await poll(auth, device))).toEqual([400, 'invalid_grant'])
  })
})
