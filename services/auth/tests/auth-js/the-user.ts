import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { newAddress, PASSWORD, SITE } from '../_util.ts'
import { age, member, type Stage, stored, tab } from './tab.ts'

export function userSuite(stage: Stage): void {
  describe('the user', () => {
    it('is updated', async () => {
      const { client, email, events } = await member(stage.open)
      const { data } = await client.updateUser({ data: { theme: 'dark' } })
      expect(data.user?.user_metadata).toEqual({ theme: 'dark' })
      await until('it was told', () => events.includes('USER_UPDATED'))
      const next = newAddress()
      expect((await client.updateUser({ email: next }, { emailRedirectTo: SITE })).data.user?.new_email).toBe(
        next,
      )
      const old = await stage.open.sink.latest(email, 'email_change')
      const half = await client.verifyOtp({ type: 'email_change', token_hash: old.tokenHash })
      expect([half.error, half.data.session]).toEqual([null, null])
      const fresh = await stage.open.sink.latest(next, 'email_change')
      const whole = await client.verifyOtp({ type: 'email_change', email: next, token: fresh.code })
      expect(whole.data.user?.email).toBe(next)
      const { email: taken } = await member(stage.open)
      expect((await client.updateUser({ email: taken })).error?.code).toBe('email_exists')
    })

    it('signs out here, elsewhere or everywhere; the others learn of it', async () => {
      const { client: first, email } = await member(stage.open)
      const enter = async () => {
        const one = tab(stage.open)
        await one.client.signInWithPassword({ email, password: PASSWORD })
        return one
      }
      const [second, third] = [await enter(), await enter()]
      expect((await first.signOut({ scope: 'local' })).error).toBeNull()
      expect((await second.client.getUser()).error).toBeNull()
      expect((await second.client.signOut({ scope: 'others' })).error).toBeNull()
      const gone = await third.client.getUser()
      expect(gone.error?.name).toBe('AuthSessionMissingError')
      expect((await third.client.getSession()).data.session).toBeNull()
      await until('it was told', () => third.events.includes('SIGNED_OUT'))
      const fourth = await enter()
      expect((await second.client.signOut()).error).toBeNull()
      expect((await fourth.client.getUser()).error?.name).toBe('AuthSessionMissingError')
    })

    it('is told of a ban', async () => {
      const { client, session, email, events, storage } = await member(stage.open)
      await stage.open.db
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
      // The client gives its session up only when the access token has run out as well.
      expect(events).not.toContain('SIGNED_OUT')
      age(storage, -10)
      const reopened = tab(stage.open, storage)
      expect((await reopened.client.getSession()).data.session).toBeNull()
      expect(stored(storage)).toBeNull()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned')
      await stage.open.db.deleteFrom('userRestrictions').where('userId', '=', session.user.id).execute()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    })
  })
}
