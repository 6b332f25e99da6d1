import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { ensureAdmin } from '../src/features/account/ensure-admin.ts'
import { adminDeps, call, newEmail, type TestAuth, VERSION } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { post, signIn } from './_requests.ts'

describe('an email that a stranger signed up first', () => {
  const A = 'the password of the attacker'
  const B = 'the password of the owner'
  const signsIn = async (auth: TestAuth, email: string, password: string) =>
    (await signIn(auth, email, password)).status === 200
  const nextMail = (auth: TestAuth, email: string, count: number) =>
    until(`mail number ${count} arrives`, () => auth.sink.to(email)[count - 1])
  const confirming = () => startForTest({ MAIL_CONFIRMATION: 'on' })

  it('belongs to the sign-up whose mail is confirmed: its password works, the other does not', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory', role_hint: 'x' } })
    await nextMail(auth, email, 1)
    await post(auth, '/signup', { email, password: B, data: { full_name: 'Ada' } })
    const { tokenHash } = await nextMail(auth, email, 2)
    const { body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({ full_name: 'Ada' })
    expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, true])
    const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, bearerOf(body.access_token))
    expect(me.body.profile.handle).toMatch(/^ada_\d+$/)
  })

  it('has no password after its owner confirms the stranger’s sign-up from another network or browser', async () => {
    const auth = await confirming()
    const stranger = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'stranger' }
    for (const owner of [
      { ...stranger, 'x-forwarded-for': '198.51.100.9' },
      { ...stranger, 'user-agent': 'owner' },
    ]) {
      const email = newEmail()
      await post(auth, '/signup', { email, password: A, data: { full_name: 'Ada' } }, stranger)
      const { tokenHash } = await nextMail(auth, email, 1)
      const { status, body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash }, owner)
      expect([status, await signsIn(auth, email, A)]).toEqual([200, false])
      const headers = { ...VERSION, ...bearerOf(body.access_token) }
      const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, headers)
      expect(me.body.hasPassword).toBe(false)
      expect((await call(`${auth.url}/user`, 'PUT', { password: B }, headers)).status).toBe(200)
      expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, true])
    }
  })

  it('keeps the password of a sign-up that is confirmed from its own network and browser', async () => {
    const auth = await confirming()
    const email = newEmail()
    const signUp = { 'x-forwarded-for': '2001:db8:1:2::1', 'user-agent': 'owner' }
    await post(auth, '/signup', { email, password: A }, signUp)
    await nextMail(auth, email, 1)
    // Requested again by a stranger on another network. The mail still belongs to the same sign-up.
    await post(auth, '/resend', { email, type: 'signup' }, { 'x-forwarded-for': '203.0.113.7' })
    const { tokenHash } = await nextMail(auth, email, 2)
    const confirmation = { ...signUp, 'x-forwarded-for': '2001:db8:1:2::99' }
    await post(auth, '/verify', { type: 'signup', token_hash: tokenHash }, confirmation)
    expect(await signsIn(auth, email, A)).toBe(true)
  })

  it('has no password after its owner confirms it with a magic link or recovery code', async () => {
    const auth = await confirming()
    for (const path of ['/otp', '/recover']) {
      const email = newEmail()
      await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
      await nextMail(auth, email, 1)
      await post(auth, path, { email })
      const { code } = await nextMail(auth, email, 2)
      const { body } = await post(auth, '/verify', { type: 'email', email, token: code })
      expect([path, body.user?.user_metadata]).toEqual([path, {}])
      expect([path, await signsIn(auth, email, A)]).toEqual([path, false])
      const headers = { ...VERSION, ...bearerOf(body.access_token) }
      expect((await call(`${auth.url}/user`, 'PUT', { password: B }, headers)).status).toBe(200)
      expect([path, await signsIn(auth, email, B)]).toEqual([path, true])
    }
  })

  it('is not taken over by a sign-up between the owner’s and a resent mail: the resent mail adopts no password', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: B })
    await nextMail(auth, email, 1)
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
    await nextMail(auth, email, 2)
    await post(auth, '/resend', { email, type: 'signup' })
    const { tokenHash } = await nextMail(auth, email, 3)
    const { body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({})
    expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, false])
  })

  it('keeps its password when its only sign-up is confirmed by a resent mail', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: B, data: { full_name: 'Ada' } })
    await nextMail(auth, email, 1)
    await post(auth, '/resend', { email, type: 'signup' })
    const { tokenHash } = await nextMail(auth, email, 2)
    const { body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({ full_name: 'Ada' })
    expect(await signsIn(auth, email, B)).toBe(true)
  })

  it('belongs to its owner when confirmation was switched off in the meantime', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
    await nextMail(auth, email, 1)
    await auth.restart({ MAIL_CONFIRMATION: 'off' })
    await post(auth, '/otp', { email })
    const { tokenHash } = await auth.sink.latest(email, 'magiclink')
    const { body } = await post(auth, '/verify', { type: 'magiclink', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({})
    expect(await signsIn(auth, email, A)).toBe(false)
  })

  it('becomes an admin account with the password that the operator gave', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
    await ensureAdmin(adminDeps(auth), { email, password: B })
    expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, true])
  })
})
