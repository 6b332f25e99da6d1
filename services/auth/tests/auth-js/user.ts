import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, SITE } from '../_harness.ts'
import { type AuthServices, age, member, stored, tab } from './tab.ts'

export function userSuite(services: AuthServices): void {
  describe('the user', () => {
    it('is updated', async () => {
      const { client, email, events } = await member(services.open)
      const { data } = await client.updateUser({ data: { theme: 'dark' } })
      expect(data.user?.user_metadata).toEqual({ theme: 'dark' })
      await until('the client is notified', () => events.includes('USER_UPDATED'))
      const next = newEmail()
      expect((await client.updateUser({ email: next }, { emailRedirectTo: SITE })).data.user?.new_email).toBe(
        next,
      )
      const old = await services.open.sink.latest(email, 'email_change')
      const oneSide = await client.verifyOtp({ type: 'email_change', token_hash: old.tokenHash })
      expect([oneSide.error, oneSide.data.session]).toEqual([null, null])
      const fresh = await services.open.sink.latest(next, 'email_change')
      const bothSides = await client.verifyOtp({ type: 'email_change', email: next, token: fresh.code })
      expect(bothSides.data.user?.email).toBe(next)
      const { email: taken } = await member(services.open)
      expect((await client.updateUser({ email: taken })).error?.code).toBe('email_exists')
    })

    it('signs out here, elsewhere or everywhere, and other clients notice it', async () => {
      const { client: first, email } = await member(services.open)
      const signIn = async () => {
        const tabOfUser = tab(services.open)
        await tabOfUser.client.signInWithPassword({ email, password: PASSWORD })
        return tabOfUser
      }
      const [second, third] = [await signIn(), await signIn()]
      expect((await first.signOut({ scope: 'local' })).error).toBeNull()
      expect((await second.client.getUser()).error).toBeNull()
      expect((await second.client.signOut({ scope: 'others' })).error).toBeNull()
      const signedOut = await third.client.getUser()
      expect(signedOut.error?.name).toBe('AuthSessionMissingError')
      expect((await third.client.getSession()).data.session).toBeNull()
      await until('the client is notified', () => third.events.includes('SIGNED_OUT'))
      const fourth = await signIn()
      expect((await second.client.signOut()).error).toBeNull()
      expect((await fourth.client.getUser()).error?.name).toBe('AuthSessionMissingError')
    })

    it('changes the password of an old session with a mailed code', async () => {
      const auth = services.open
      const { client, session, email, storage } = await member(auth)
      const next = `${PASSWORD} three`
      const dayAgo = new Date(auth.clock.now() - 86_500_000)
      await auth.db
        .updateTable('sessions')
        .set({ createdAt: dayAgo })
        .where('userId', '=', session.user.id)
        .execute()
      expect((await client.updateUser({ password: next })).error?.code).toBe('reauthentication_needed')
      expect((await client.updateUser({ password: next, nonce: '000000' })).error?.code).toBe(
        'reauthentication_not_valid',
      )
      expect((await client.reauthenticate()).error).toBeNull()
      const { code } = await auth.sink.latest(email)
      // The code signs nobody in.
      for (const type of ['email', 'recovery', 'reauthentication'] as const) {
        const { error } = await tab(auth).client.verifyOtp({ type: type as 'email', email, token: code })
        expect(['otp_expired', 'validation_failed']).toContain(error?.code)
      }
      const wrong = code === '123456' ? '654321' : '123456'
      expect((await client.updateUser({ password: next, nonce: wrong })).error?.code).toBe(
        'reauthentication_not_valid',
      )
      expect((await client.updateUser({ password: next, nonce: code })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: next })).error).toBeNull()
      await auth.db
        .updateTable('sessions')
        .set({ createdAt: dayAgo })
        .where('userId', '=', session.user.id)
        .execute()
      const again = await client.updateUser({ password: PASSWORD, nonce: code })
      expect(again.error?.code).toBe('reauthentication_not_valid')
      expect(stored(storage)).not.toBeNull()
    })

    it('gets no further try after ten wrong codes', async () => {
      const auth = services.open
      const { client, session, email } = await member(auth)
      const dayAgo = new Date(auth.clock.now() - 86_500_000)
      await auth.db
        .updateTable('sessions')
        .set({ createdAt: dayAgo })
        .where('userId', '=', session.user.id)
        .execute()
      await client.reauthenticate()
      const { code } = await auth.sink.latest(email)
      const wrong = code === '123456' ? '654321' : '123456'
      for (const nonce of [...Array<string>(10).fill(wrong), code]) {
        const { error } = await client.updateUser({ password: `${PASSWORD} four`, nonce })
        expect(error?.code).toBe('reauthentication_not_valid')
      }
    })

    it('receives user_banned after a ban', async () => {
      const { client, session, email, events, storage } = await member(services.open)
      await services.open.db
        .insertInto('userRestrictions')
        .values({
          id: crypto.randomUUID(),
          userId: session.user.id,
          restrictionType: 'site_banned',
          reason: 'test',
          createdBy: null,
          createdAt: new Date(),
          expiresAt: null,
        })
        .execute()
      expect((await client.refreshSession()).error?.code).toBe('user_banned')
      // The client drops its session only when the access token has expired too.
      expect(events).not.toContain('SIGNED_OUT')
      age(storage, -10)
      const reopened = tab(services.open, storage)
      expect((await reopened.client.getSession()).data.session).toBeNull()
      expect(stored(storage)).toBeNull()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned')
      await services.open.db.deleteFrom('userRestrictions').where('userId', '=', session.user.id).execute()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    })
  })
}
