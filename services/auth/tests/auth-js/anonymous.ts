import { bearerOf } from '@looptide/testkit/client'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { call, newEmail, PASSWORD, signUp, type TestAuth } from '../_harness.ts'
import { member, memory, tab } from './tab.ts'

/** Sign-ins without an account, and how such a user gets one (docs/decisions/0062). */
export function anonymousSuite(open: () => TestAuth): void {
  async function anonymous() {
    const opened = tab(open())
    const { data, error } = await opened.client.signInAnonymously({ options: { data: { theme: 'dark' } } })
    expect(error).toBeNull()
    return { ...opened, user: data.user!, session: data.session! }
  }

  describe('a user without an account', () => {
    it('has a session that says so, and no email', async () => {
      const { client, user, session } = await anonymous()
      expect(user).toMatchObject({ is_anonymous: true, email: '', identities: [], app_metadata: {} })
      expect(user).toMatchObject({ user_metadata: { theme: 'dark' } })
      expect(user.email_confirmed_at).toBeUndefined()
      expect(decodeJwt(session.access_token)).toMatchObject({
        is_anonymous: true,
        email: '',
        aal: 'aal1',
        amr: [{ method: 'anonymous' }],
      })
      const refreshed = await client.refreshSession()
      expect(refreshed.data.user).toMatchObject({ id: user.id, is_anonymous: true })
      expect((await client.updateUser({ data: { theme: 'light' } })).error).toBeNull()
      const settings = await fetch(`${open().url}/settings`)
      expect(await settings.json()).toMatchObject({ external: { anonymous_users: true } })
    })

    it('gets an account by confirming an email, and then a password', async () => {
      const { client, user } = await anonymous()
      const early = await client.updateUser({ password: PASSWORD })
      expect(early.error?.code).toBe('email_not_confirmed')
      const email = newEmail()
      const asked = await client.updateUser({ email })
      expect(asked.error).toBeNull()
      expect(asked.data.user).toMatchObject({ is_anonymous: true, new_email: email, email: '' })
      const mail = await open().sink.latest(email)
      expect(open().sink.to(email)).toHaveLength(1)
      expect(mail.raw).not.toContain('Both addresses')
      const { data, error } = await client.verifyOtp({ email, token: mail.code, type: 'email_change' })
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ id: user.id, email, is_anonymous: false })
      expect(data.user).toMatchObject({
        app_metadata: { provider: 'email' },
        user_metadata: { theme: 'dark' },
      })
      expect(decodeJwt(data.session!.access_token)).toMatchObject({ is_anonymous: false, email })
      expect((await client.updateUser({ password: PASSWORD })).error).toBeNull()
      const again = await tab(open()).client.signInWithPassword({ email, password: PASSWORD })
      expect(again.data.user?.id).toBe(user.id)
    })

    it('gets an account by a link with PKCE', async () => {
      const { client } = tab(open(), memory(), { flowType: 'pkce' })
      const { data: before } = await client.signInAnonymously()
      const email = newEmail()
      expect((await client.updateUser({ email })).error).toBeNull()
      const { tokenHash } = await open().sink.latest(email)
      const link = `${open().url}/verify?token=${tokenHash}&type=email_change`
      const { searchParams } = new URL((await call(link, 'GET')).headers.get('location') ?? '')
      const { data, error } = await client.exchangeCodeForSession(searchParams.get('code') ?? '')
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ id: before.user?.id, email, is_anonymous: false })
      expect(decodeJwt(data.session!.access_token)).toMatchObject({ is_anonymous: false, email })
      expect((await client.refreshSession()).data.user).toMatchObject({ email, is_anonymous: false })
    })

    it('ends the session that asked, if the email is confirmed elsewhere', async () => {
      const { client, user } = await anonymous()
      const email = newEmail()
      await client.updateUser({ email })
      const { tokenHash } = await open().sink.latest(email)
      // The link is opened in another browser.
      const other = await tab(open()).client.verifyOtp({ type: 'email_change', token_hash: tokenHash })
      expect(other.data.user?.id).toBe(user.id)
      // A stranger who entered this email must not share the account.
      const { error } = await client.refreshSession()
      expect(error?.code).toBe('refresh_token_not_found')
      expect(other.data.user?.is_anonymous).toBe(false)
    })

    it('does not get the address of another account, not even one that was registered meanwhile', async () => {
      const { email: taken } = await member(open())
      const { client } = await anonymous()
      expect((await client.updateUser({ email: taken })).error?.code).toBe('email_exists')
      const contested = newEmail()
      await client.updateUser({ email: contested })
      const { code } = await open().sink.latest(contested)
      await signUp(open(), contested)
      const late = await client.verifyOtp({ email: contested, token: code, type: 'email_change' })
      expect(late.error?.code).toBe('email_exists')
      expect((await client.getUser()).data.user?.is_anonymous).toBe(true)
    })

    it('cannot add a factor or passkey, or reauthenticate', async () => {
      const { client } = await anonymous()
      const refusals = [
        await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' }),
        await client.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' }),
        await client.reauthenticate(),
      ]
      for (const { error } of refusals) expect(error?.code).toBe('email_not_confirmed')
      expect(refusals[2]?.error?.message).toBe(
        'Reauthentication requires the user to have an email or a phone number',
      )
      const { data } = await client.getSession()
      const headers = bearerOf(data.session!.access_token)
      const passkey = await call(`${open().url}/passkeys/registration/options`, 'POST', {}, headers)
      expect([passkey.status, passkey.body.error_code]).toEqual([400, 'email_not_confirmed'])
    })
  })
}
