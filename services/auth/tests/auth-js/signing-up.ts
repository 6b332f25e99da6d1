import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, SITE } from '../_harness.ts'
import { type AuthServices, member, tab } from './tab.ts'

export function signingUpSuite(services: AuthServices): void {
  describe('signing up', () => {
    it('starts a session at once without confirmation', async () => {
      const email = newEmail()
      const { client, events } = tab(services.open)
      const { data, error } = await client.signUp({
        email,
        password: PASSWORD,
        options: { data: { full_name: 'Ada' }, emailRedirectTo: SITE },
      })
      expect(error).toBeNull()
      expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
      expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ada' } })
      await until('the client is notified', () => events.includes('SIGNED_IN'))
      expect((await client.getUser()).data.user?.id).toBe(data.user?.id)
    })

    it('reports invalid requests by code', async () => {
      const { email } = await member(services.open)
      const { client } = tab(services.open)
      expect((await client.signUp({ email, password: PASSWORD })).error).toMatchObject({
        code: 'user_already_exists',
        status: 422,
      })
      expect((await client.signUp({ email: newEmail(), password: 'short' })).error).toMatchObject({
        name: 'AuthWeakPasswordError',
        code: 'weak_password',
        reasons: ['length'],
      })
      expect((await client.signUp({ email: 'no address', password: PASSWORD })).error).toMatchObject({
        code: 'validation_failed',
      })
      expect((await client.signUp({ phone: '123456', password: PASSWORD })).error).toMatchObject({
        code: 'phone_provider_disabled',
      })
      expect((await client.signInAnonymously()).error).toMatchObject({ code: 'anonymous_provider_disabled' })
    })

    it('returns a user without a session when the email must be confirmed', async () => {
      const { client } = tab(services.confirming)
      const email = newEmail()
      const { data, error } = await client.signUp({ email, password: PASSWORD })
      expect(error).toBeNull()
      expect(data.session).toBeNull()
      expect(data.user?.identities).toHaveLength(1)
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
        'email_not_confirmed',
      )
      const mail = await services.confirming.sink.latest(email)
      expect((await client.resend({ type: 'signup', email })).error).toBeNull()
      await until('the second mail arrives', () => services.confirming.sink.to(email).length === 2)
      const second = services.confirming.sink.to(email).at(-1)!
      const verified = await client.verifyOtp({ email, token: second.code, type: 'signup' })
      expect(verified.data.session?.access_token).toEqual(expect.any(String))
      // The earlier mail stays valid after a later one. Using either invalidates both.
      expect((await client.verifyOtp({ type: 'signup', token_hash: mail.tokenHash })).error?.code).toBe(
        'otp_expired',
      )
      const again = await client.signUp({ email, password: PASSWORD })
      expect([again.error, again.data.session, again.data.user?.identities]).toEqual([null, null, []])
    })
  })
}
