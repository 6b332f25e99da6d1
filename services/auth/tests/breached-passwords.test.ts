import { type BreachedPasswordService, startBreachedPasswords } from '@looptide/testkit/breached-passwords'
import { bearerOf } from '@looptide/testkit/client'
import { isAuthWeakPasswordError } from '@supabase/auth-js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { call, newEmail, PASSWORD, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'
import { tab } from './auth-js/tab.ts'

const BREACHED = 'a tide that was breached'
const SERVICE_KEY = 'sk-of-breached-password-tests-0123456789'

let ranges: BreachedPasswordService
let auth: TestAuth
beforeAll(async () => {
  ranges = await startBreachedPasswords([BREACHED])
  auth = await startAuth({ BREACHED_PASSWORDS_URL: ranges.url, AUTH_SERVICE_KEY: SERVICE_KEY })
})
afterAll(async () => {
  await auth.stop()
  await ranges.stop()
})
beforeEach(() => {
  ranges.mode = 'ranges'
  ranges.requests.length = 0
  auth.clock.advance(60_001)
})

const bearer = (token: string) => ({ ...VERSION, ...bearerOf(token) })
const refusal = { status: 422, body: { code: 'weak_password', weak_password: { reasons: ['pwned'] } } }
const checks = async (result: string): Promise<number> => {
  const text = await (await fetch(`${auth.service.url}/metrics`)).text()
  const name = 'looptide_auth_breached_password_checks_total'
  return Number(new RegExp(`^${name}\\{result="${result}".*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

it('a breached password is refused at sign-up with the error that the stock client expects', async () => {
  const { error } = await tab(auth).client.signUp({ email: newEmail(), password: BREACHED })
  if (!isAuthWeakPasswordError(error)) throw new Error(`another answer: ${error}`)
  expect(error.reasons).toEqual(['pwned'])
  expect(error.message).toContain('choose a different one')
  await signUp(auth)
  // Five hex digits leave the station, and nothing else of the password.
  expect(ranges.requests).toEqual([
    { path: expect.stringMatching(/^\/range\/[0-9A-F]{5}$/), padded: true },
    { path: expect.stringMatching(/^\/range\/[0-9A-F]{5}$/), padded: true },
  ])
  expect([await checks('breached'), await checks('unknown')]).toEqual([1, 1])
})

it('a breached password is refused at a change, after a recovery, and by the admin API', async () => {
  const member = await signUp(auth)
  const change = (token: string) => call(`${auth.url}/user`, 'PUT', { password: BREACHED }, bearer(token))
  expect(await change(member.access_token)).toMatchObject(refusal)
  await call(`${auth.url}/recover`, 'POST', { email: member.email })
  const { tokenHash } = await auth.sink.latest(member.email, 'recovery')
  const recovered = await call(`${auth.url}/verify`, 'POST', { type: 'recovery', token_hash: tokenHash })
  expect(await change(recovered.body.access_token)).toMatchObject(refusal)
  const manage = (method: string, path: string, body: object) =>
    call(`${auth.url}/admin/${path}`, method, body, bearer(SERVICE_KEY))
  const created = { email: newEmail(), password: BREACHED }
  expect(await manage('POST', 'users', created)).toMatchObject(refusal)
  expect(await manage('PUT', `users/${member.user.id}`, { password: BREACHED })).toMatchObject(refusal)
  expect(await manage('POST', 'generate_link', { ...created, type: 'signup' })).toMatchObject(refusal)
  const signIn = { email: member.email, password: PASSWORD }
  expect((await call(`${auth.url}/token?grant_type=password`, 'POST', signIn)).status).toBe(200)
})

it.each(['error', 'silent', 'endless'] as const)(
  'passwords are accepted while the service is %s',
  async (mode) => {
    ranges.mode = mode
    const failed = await checks('failed')
    const account = { email: newEmail(), password: BREACHED }
    expect((await call(`${auth.url}/signup`, 'POST', account)).status).toBe(200)
    expect(await checks('failed')).toBe(failed + 1)
    // An answer in between: the failures of these cases are not consecutive.
    ranges.mode = 'ranges'
    await signUp(auth)
  },
)

it('after three failures the service gets no request for a minute', async () => {
  ranges.mode = 'error'
  for (let attempt = 0; attempt < 5; attempt += 1) await signUp(auth)
  expect(ranges.requests).toHaveLength(3)
  expect(await checks('skipped')).toBe(2)
  ranges.mode = 'ranges'
  auth.clock.advance(60_001)
  const account = { email: newEmail(), password: BREACHED }
  expect(await call(`${auth.url}/signup`, 'POST', account)).toMatchObject(refusal)
})
