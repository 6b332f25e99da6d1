import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { newAddress, PASSWORD, SITE } from '../_util.ts'
import { member, type Stage, tab } from './tab.ts'

export function signingUpSuite(stage: Stage): void {
  describe('signing up', () => {
    it('gives a session at once where no confirmation is asked for', async () => {
      const email = newAddress()
      const { client, events } = tab(stage.open)
      const { data, error } = await client.signUp({
        email,
        password: PASSWORD,
        options: { data: { full_name: 'Ada' }, emailRedirectTo: SITE },
      })
      expect(error).toBeNull()
      expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
      expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ada' } })
      await until('it was told', () => events.includes('SIGNED_IN'))
      expect((await client.getUser()).data.user?.id).toBe(data.user?.id)
    })

    it('names what is wrong by code', async () => {
      const { email } = await member(stage.open)
      const { client } = tab(stage.open)
      expect((await client.signUp({ email, password: PASSWORD })).error).toMatchObject({
        code: 'user_already_exists',
        status: 422,
      })
      expect((await client.signUp({ email: newAddress(), password: 'short' })).error).toMatchObject({
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

    it('gives a user without a session where the address must be confirmed', async () => {
      const { client } = tab(stage.confirming)
      const email = newAddress()
      const { data, error } = await client.signUp({ email, password: PASSWORD })
      expect(error).toBeNull()
      expect(data.session).toBeNull()
      expect(data.user?.identities).toHaveLength(1)
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
        'email_not_confirmed',
      )
      const mail = await stage.confirming.sink.latest(email)
      expect((await client.resend({ type: 'signup', email })).error).toBeNull()
      await until('the second mail is there', () => stage.confirming.sink.to(email).length === 2)
      const second = stage.confirming.sink.to(email).at(-1)!
      const verified = await client.verifyOtp({ email, token: second.code, type: 'signup' })
      expect(verified.data.session?.access_token).toEqual(expect.any(String))
      expect((await client.verifyOtp({ type: 'signup', token_hash: mail.tokenHash })).error?.code).toBe(
        'otp_expired',
      )
      const again = await client.signUp({ email, password: PASSWORD })
      expect([again.error, again.data.session, again.data.user?.identities]).toEqual([null, null, []])
    })
  })
}
