import { GoTrueAdminApi } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, type TestAuth } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { SERVICE_KEY } from './auth-js/admin-client.ts'
import { member, tab } from './auth-js/tab.ts'

const adminOf = ({ url }: TestAuth) =>
  new GoTrueAdminApi({ url, headers: { Authorization: `Bearer ${SERVICE_KEY}` } })

/** Expects that a new email gets no account, and that `known` can sign in. */
async function expectNoSignUp(auth: TestAuth, known: string): Promise<void> {
  const { client } = tab(auth)
  for (const email of [newEmail(), known]) {
    const { error } = await client.signUp({ email, password: PASSWORD })
    expect([error?.code, error?.status]).toEqual(['signup_disabled', 422])
  }
  const stranger = newEmail()
  expect((await client.signInWithOtp({ email: stranger })).error?.code).toBe('signup_disabled')
  expect(auth.sink.to(stranger)).toEqual([])
  expect((await client.signInWithOtp({ email: known })).error).toBeNull()
  const { code } = await auth.sink.latest(known, 'magiclink')
  expect((await client.verifyOtp({ type: 'email', email: known, token: code })).error).toBeNull()
  const settings = await fetch(`${auth.url}/settings`)
  expect(await settings.json()).toMatchObject({ disable_signup: true })
}

describe('new accounts', () => {
  it('are refused by invitation-only and closed sign-up, as the protocol says', async () => {
    const auth = await startForTest({ AUTH_SERVICE_KEY: SERVICE_KEY })
    const [{ email: known }, { email: other }] = [await member(auth), await member(auth)]

    await auth.restart({ SIGN_UP: 'invitation' })
    await expectNoSignUp(auth, known)
    const guest = newEmail()
    expect((await adminOf(auth).inviteUserByEmail(guest)).error).toBeNull()
    const { tokenHash } = await auth.sink.latest(guest, 'invite')

    await auth.restart({ SIGN_UP: 'closed' })
    await expectNoSignUp(auth, other)
    const admin = adminOf(auth)
    expect((await admin.inviteUserByEmail(newEmail())).error?.code).toBe('signup_disabled')
    const link = await admin.generateLink({ type: 'magiclink', email: newEmail() })
    expect(link.error?.code).toBe('signup_disabled')
    // An invitation that was sent before is an account already.
    const { client } = tab(auth)
    expect((await client.verifyOtp({ type: 'invite', token_hash: tokenHash })).error).toBeNull()
    const created = await admin.createUser({ email: newEmail(), password: PASSWORD, email_confirm: true })
    expect(created.error).toBeNull()
  })
})
