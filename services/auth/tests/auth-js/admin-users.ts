import { SoftwareAuthenticator } from '@looptide/testkit/software-authenticator'
import { describe, expect, it } from 'vitest'
import { codeAt } from '../_authenticator.ts'
import { newEmail, PASSWORD, SITE } from '../_harness.ts'
import { adminOf, expectAudited, UNKNOWN } from './admin-client.ts'
import { type AuthServices, member, tab } from './tab.ts'

/** The admin API for users: accounts, bans, factors, pages. */
export function adminUsersSuite(services: AuthServices): void {
  describe('the admin client', () => {
    const manageUser = async (): Promise<string> => {
      const auth = services.open
      const admin = adminOf(auth)
      const email = newEmail()
      const created = await admin.createUser({
        email,
        password: PASSWORD,
        email_confirm: true,
        user_metadata: { full_name: 'Ada' },
        app_metadata: { role: 'moderator' },
      })
      expect(created.error).toBeNull()
      const { id } = created.data.user!
      expect(created.data.user).toMatchObject({
        email,
        email_confirmed_at: expect.any(String),
        user_metadata: { full_name: 'Ada' },
        app_metadata: { provider: 'email', providers: ['email'], role: 'moderator' },
      })
      expect((await admin.getUserById(id)).data.user).toEqual(created.data.user)
      expect((await admin.createUser({ email })).error?.code).toBe('email_exists')

      const { client } = tab(auth)
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
      const next = newEmail()
      const changed = await admin.updateUserById(id, {
        email: next,
        password: `${PASSWORD} two`,
        user_metadata: { full_name: null, theme: 'dark' },
        app_metadata: { ...created.data.user!.app_metadata, role: 'user' },
      })
      expect(changed.data.user).toMatchObject({
        email: next,
        user_metadata: { theme: 'dark' },
        app_metadata: { role: 'user' },
      })
      expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
      expect((await client.signInWithPassword({ email: next, password: `${PASSWORD} two` })).error).toBeNull()

      const deleted = await admin.deleteUser(id)
      expect([deleted.error, deleted.data.user?.id]).toEqual([null, id])
      const missing = await admin.getUserById(id)
      expect([missing.error?.code, missing.error?.status]).toEqual(['user_not_found', 404])
      return id
    }

    it('creates, reads, changes and deletes a user', () =>
      expectAudited(
        services.open,
        ['user.create', 'user.role.set', 'user.update', 'user.role.set', 'user.delete'],
        manageUser,
      ))

    const banUser = async (): Promise<string> => {
      const auth = services.open
      const admin = adminOf(auth)
      const { client, email, session } = await member(auth)
      const { id } = session.user
      const banned = await admin.updateUserById(id, { ban_duration: '2h' })
      const until = Date.parse(String((banned.data.user as { banned_until?: string }).banned_until))
      expect(until - auth.clock.now()).toBeGreaterThan(7_100_000)
      expect((await client.refreshSession()).error?.code).toBe('user_banned')
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned')
      const lifted = await admin.updateUserById(id, { ban_duration: 'none' })
      expect(lifted.data.user).not.toHaveProperty('banned_until')
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
      return id
    }

    it('bans for a time and lifts the ban', () =>
      expectAudited(
        services.open,
        ['user.update', 'user.restriction.add', 'user.update', 'user.restriction.remove'],
        banUser,
      ))

    const removeFactors = async (): Promise<string> => {
      const auth = services.open
      const admin = adminOf(auth)
      const { client, session, email } = await member(auth)
      const { id } = session.user
      const { data } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
      const code = codeAt(auth, data!.totp.secret)
      await client.mfa.challengeAndVerify({ factorId: data!.id, code })
      const { data: listed } = await admin.mfa.listFactors({ userId: id })
      expect(listed?.factors).toMatchObject([{ id: data!.id, factor_type: 'totp', status: 'verified' }])
      expect((await admin.mfa.deleteFactor({ userId: id, id: UNKNOWN })).error?.code).toBe(
        'mfa_factor_not_found',
      )
      expect((await admin.mfa.deleteFactor({ userId: id, id: data!.id })).error).toBeNull()
      expect((await admin.mfa.listFactors({ userId: id })).data?.factors).toEqual([])
      const { client: next } = tab(auth)
      await next.signInWithPassword({ email, password: PASSWORD })
      const { data: level } = await next.mfa.getAuthenticatorAssuranceLevel()
      expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
      return id
    }

    it('lists and removes the factors of a user', () =>
      expectAudited(services.open, ['user.remove_factor'], removeFactors))

    const removePasskey = async (): Promise<string> => {
      const auth = services.open
      const admin = adminOf(auth)
      const { client, session } = await member(auth)
      const userId = session.user.id
      const { data: started } = await client.passkey.startRegistration()
      const credential = new SoftwareAuthenticator(SITE).create(started!.options)
      const challengeId = started!.challenge_id
      const { data: added } = await client.passkey.verifyRegistration({ challengeId, credential })
      const { data: listed } = await admin.passkey.listPasskeys({ userId })
      expect(listed).toMatchObject([{ id: added!.id, friendly_name: expect.any(String) }])
      const remove = (passkeyId: string, of = userId) =>
        admin.passkey.deletePasskey({ userId: of, passkeyId })
      expect((await remove(UNKNOWN)).error?.code).toBe('webauthn_credential_not_found')
      const other = await member(auth)
      expect((await remove(added!.id, other.session.user.id)).error?.code).toBe(
        'webauthn_credential_not_found',
      )
      expect((await admin.passkey.listPasskeys({ userId: UNKNOWN })).error?.code).toBe('user_not_found')
      expect((await remove(added!.id)).error).toBeNull()
      expect((await admin.passkey.listPasskeys({ userId })).data).toEqual([])
      return userId
    }

    it('lists and removes the passkeys of a user', () =>
      expectAudited(services.open, ['user.remove_passkey'], removePasskey))

    it('lists users by pages, newest first', async () => {
      const admin = adminOf(services.confirming)
      for (let n = 0; n < 3; n += 1) await admin.createUser({ email: newEmail() })
      const first = await admin.listUsers({ page: 1, perPage: 2 })
      if (first.error) throw first.error
      expect(first.data.users).toHaveLength(2)
      expect(first.data).toMatchObject({ aud: 'authenticated', nextPage: 2, total: expect.any(Number) })
      expect(first.data.lastPage).toBe(Math.ceil(first.data.total / 2))
      const second = await admin.listUsers({ page: 2, perPage: 2 })
      const ids = [...first.data.users, ...second.data.users].map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)].sort().reverse())
      const last = await admin.listUsers({ page: first.data.lastPage, perPage: 2 })
      expect(last.data).toMatchObject({ nextPage: null })
      expect((await admin.listUsers()).data.users.length).toBeGreaterThanOrEqual(3)
    })

    it('signs a user out by the token', async () => {
      const { client, session } = await member(services.open)
      expect((await adminOf(services.open).signOut(session.access_token, 'global')).error).toBeNull()
      expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
    })

    it('keeps the last admin', async () => {
      const admin = adminOf(services.confirming)
      const { data } = await admin.createUser({ email: newEmail(), app_metadata: { role: 'admin' } })
      const { id } = data.user!
      expect((await admin.deleteUser(id)).error?.code).toBe('conflict')
      const demoted = await admin.updateUserById(id, { email: newEmail(), app_metadata: { role: 'user' } })
      expect(demoted.error?.status).toBe(409)
      // Nothing of the refused change was made.
      expect((await admin.getUserById(id)).data.user).toEqual(data.user)
    })
  })
}
