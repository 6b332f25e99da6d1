import { until } from '@looptide/testkit/until'
import { GoTrueAdminApi } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { codeAt } from '../_authenticator.ts'
import { call, newEmail, PASSWORD, SITE, type TestAuth, VERSION } from '../_harness.ts'
import { type AuthServices, member, tab } from './tab.ts'

export const SERVICE_KEY = 'a service key for tests, of 32 letters'.replaceAll(' ', '-')
export const PREVIOUS_SERVICE_KEY = SERVICE_KEY.replace('a-', 'previous-')

const UNKNOWN = '01900000-0000-7000-8000-000000000000'

/** The admin client as supabase-js makes it from a secret key. */
const adminOf = (auth: TestAuth, key = SERVICE_KEY) =>
  new GoTrueAdminApi({ url: auth.url, headers: { apikey: key, Authorization: `Bearer ${key}` } })

/** Runs `work`, then waits for the audit entries of these actions on the user that it returns. */
async function expectAudited(auth: TestAuth, actions: string[], work: () => Promise<string>): Promise<void> {
  const recorder = await auth.listen('auth.audit.recorded.v1')
  const userId = await work()
  const entries = () => recorder.received().filter(({ data }) => data.targetUserId === userId)
  await until('all entries are published', () => entries().length >= actions.length)
  await recorder.stop()
  expect(entries().map(({ data }) => data.action)).toEqual(actions)
  for (const { actorId, data } of entries()) {
    expect([actorId, data.details]).toEqual([null, { by: 'service key' }])
  }
  expect(JSON.stringify(entries())).not.toContain('@example.test')
}

export function adminSuite(services: AuthServices): void {
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

    it('invites by mail, and the invited user chooses a password', async () => {
      const auth = services.confirming
      const admin = adminOf(auth)
      const email = newEmail()
      const invited = await admin.inviteUserByEmail(email, {
        data: { full_name: 'Grace' },
        redirectTo: `${SITE}/videos`,
      })
      expect(invited.data.user).toMatchObject({ email, invited_at: expect.any(String) })
      const mail = await auth.sink.latest(email, 'invite')
      expect(mail.link.searchParams.get('redirect_to')).toBe(`${SITE}/videos`)
      const { client } = tab(auth)
      const accepted = await client.verifyOtp({ type: 'invite', token_hash: mail.tokenHash })
      expect(accepted.data.user).toMatchObject({ email, user_metadata: { full_name: 'Grace' } })
      expect((await client.updateUser({ password: PASSWORD })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
      expect((await admin.inviteUserByEmail(email)).error?.code).toBe('email_exists')
      const again = newEmail()
      await admin.inviteUserByEmail(again)
      expect((await admin.inviteUserByEmail(again)).error).toBeNull()
    })

    it('generates links of every type, and mails none', async () => {
      const auth = services.confirming
      const admin = adminOf(auth)
      const email = newEmail()
      const signUp = await admin.generateLink({
        type: 'signup',
        email,
        password: PASSWORD,
        options: { data: { a: 1 } },
      })
      expect(signUp.error).toBeNull()
      expect(signUp.data.user).toMatchObject({ email })
      const { properties } = signUp.data
      expect(properties).toMatchObject({
        verification_type: 'signup',
        redirect_to: `${SITE}/`,
        email_otp: expect.stringMatching(/^\d{6}$/),
      })
      expect(new URL(properties!.action_link).searchParams.get('token_hash')).toBe(properties!.hashed_token)
      const { client } = tab(auth)
      expect(
        (await client.verifyOtp({ type: 'signup', token_hash: properties!.hashed_token })).error,
      ).toBeNull()
      // The password of the service key counts wherever the link is opened.
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()

      const magic = await admin.generateLink({ type: 'magiclink', email })
      const byCode = await client.verifyOtp({ type: 'email', email, token: magic.data.properties!.email_otp })
      expect(byCode.error).toBeNull()
      const recovery = await admin.generateLink({ type: 'recovery', email })
      expect(
        (await client.verifyOtp({ type: 'recovery', token_hash: recovery.data.properties!.hashed_token }))
          .error,
      ).toBeNull()

      const next = newEmail()
      const oldSide = await admin.generateLink({ type: 'email_change_current', email, newEmail: next })
      const newSide = await admin.generateLink({ type: 'email_change_new', email, newEmail: next })
      expect(newSide.data.properties!.verification_type).toBe('email_change_new')
      for (const { data } of [oldSide, newSide]) {
        expect(
          (await client.verifyOtp({ type: 'email_change', token_hash: data.properties!.hashed_token })).error,
        ).toBeNull()
      }
      expect((await client.getUser()).data.user?.email).toBe(next)

      const invite = await admin.generateLink({ type: 'invite', email: newEmail() })
      expect(invite.data.user).toMatchObject({ invited_at: expect.any(String) })
      const unknown = await admin.generateLink({ type: 'magiclink', email: newEmail() })
      expect(unknown.data.properties!.verification_type).toBe('signup')
      const nobody = await admin.generateLink({ type: 'recovery', email: newEmail() })
      expect([nobody.error?.code, nobody.error?.status]).toEqual(['user_not_found', 404])
      expect(
        (await admin.generateLink({ type: 'signup', email: next, password: PASSWORD })).error?.code,
      ).toBe('email_exists')
      expect([email, next].flatMap((address) => auth.sink.to(address))).toEqual([])
    })

    it('a link to one new email does not confirm a later one', async () => {
      const auth = services.open
      const admin = adminOf(auth)
      const { client, email } = await member(auth)
      const [first, second] = [newEmail(), newEmail()]
      const forFirst = await admin.generateLink({ type: 'email_change_new', email, newEmail: first })
      await admin.generateLink({ type: 'email_change_new', email, newEmail: second })
      const stale = await client.verifyOtp({
        type: 'email_change',
        token_hash: forFirst.data.properties!.hashed_token,
      })
      expect(stale.error?.code).toBe('otp_expired')
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

    it('is told in the protocol’s words what is not offered', async () => {
      const admin = adminOf(services.open)
      const { data } = await admin.createUser({ email: newEmail() })
      const { id } = data.user!
      const refusals = [
        admin.createUser({}),
        admin.createUser({ email: 'no email' }),
        admin.createUser({ email: newEmail(), id: UNKNOWN }),
        admin.createUser({ email: newEmail(), password_hash: '$argon2id$' }),
        admin.updateUserById(id, { role: 'service_role' }),
        admin.updateUserById(id, { app_metadata: { plan: 'pro' } }),
        admin.updateUserById(id, { app_metadata: { role: 'owner' } }),
        admin.updateUserById(id, { ban_duration: '-1h' }),
        admin.updateUserById(id, { user_metadata: { long: 'x'.repeat(5000) } }),
        admin.deleteUser(id, true),
        admin.generateLink({ type: 'phone_change' as 'recovery', email: newEmail() }),
      ]
      for (const { error } of await Promise.all(refusals)) expect(error?.code).toBe('validation_failed')
      expect((await admin.createUser({ phone: '+1555' })).error?.code).toBe('phone_provider_disabled')
      expect((await admin.createUser({ email: newEmail(), password: 'short' })).error?.code).toBe(
        'weak_password',
      )
      expect((await admin.updateUserById(UNKNOWN, {})).error?.code).toBe('user_not_found')
      expect((await admin.getUserById(id)).data.user).toEqual(data.user)
    })
  })

  describe('the service key', () => {
    const asked = (auth: TestAuth, query: string, authorization?: string) =>
      call(`${auth.url}/admin/users${query}`, 'GET', undefined, {
        ...VERSION,
        ...(authorization === undefined ? {} : { authorization }),
      })

    it('is required: user tokens, wrong and shortened keys are refused', async () => {
      const auth = services.open
      const { session } = await member(auth)
      const row = { userId: session.user.id, role: 'admin', grantedBy: null, updatedAt: new Date() } as const
      await auth.db.insertInto('userRoles').values(row).execute()
      const refused = await asked(auth, '', `Bearer ${session.access_token}`)
      expect([refused.status, refused.body.code]).toEqual([403, 'not_admin'])
      await until('the attempt is reported', () =>
        auth.guard.reported.some(({ operation }) => operation === 'auth.admin.user.list'),
      )
      expect((await asked(auth, '')).body.code).toBe('no_authorization')
      for (const key of [
        SERVICE_KEY.slice(0, -1),
        `${SERVICE_KEY}x`,
        SERVICE_KEY.toUpperCase(),
        'looptide-public',
      ]) {
        expect((await asked(auth, '', `Bearer ${key}`)).body.code, key).toBe('bad_jwt')
      }
      // The body of a refused client is not read.
      const hidden = await call(
        `${auth.url}/admin/users`,
        'POST',
        { email: 7 },
        { ...VERSION, authorization: 'Bearer x' },
      )
      expect(hidden.body.code).toBe('bad_jwt')
      await auth.db.deleteFrom('userRoles').where('userId', '=', session.user.id).execute()
    })

    it('is accepted in both values during a rotation', async () => {
      expect((await adminOf(services.open, PREVIOUS_SERVICE_KEY).listUsers()).error).toBeNull()
      expect((await adminOf(services.confirming, PREVIOUS_SERVICE_KEY).listUsers()).error?.code).toBe(
        'bad_jwt',
      )
    })

    it.each(['page=0', 'page=-1', 'page=1e9', 'per_page=x', 'page=999999999&per_page=1000'])(
      'refuses %s',
      async (query) => {
        const answer = await asked(services.open, `?${query}`, `Bearer ${SERVICE_KEY}`)
        expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
      },
    )

    it('gets at most 1,000 users, and filters by the start of the email', async () => {
      const auth = services.open
      const { email } = await member(auth)
      const huge = await asked(auth, '?per_page=999999999', `Bearer ${SERVICE_KEY}`)
      expect(huge.headers.get('link')).toContain('per_page=1000')
      const found = await asked(
        auth,
        `?filter=${encodeURIComponent(email.toUpperCase())}`,
        `Bearer ${SERVICE_KEY}`,
      )
      expect(found.body.users.map((user: { email: string }) => user.email)).toEqual([email])
      expect(found.headers.get('x-total-count')).toBe('1')
      const none = await asked(auth, '?filter=%25', `Bearer ${SERVICE_KEY}`)
      expect(none.body.users).toEqual([])
    })
  })
}
