import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { call, newEmail, type TestAuth, VERSION } from '../_harness.ts'
import { adminOf, PREVIOUS_SERVICE_KEY, SERVICE_KEY, UNKNOWN } from './admin-client.ts'
import { type AuthServices, member } from './tab.ts'

/** Access to the admin API, and its refusals. */
export function serviceKeySuite(services: AuthServices): void {
  describe('the admin client', () => {
    it('gets the protocol’s error codes for what is not offered', async () => {
      const admin = adminOf(services.open)
      const { data } = await admin.createUser({ email: newEmail() })
      const { id } = data.user!
      const refusals = [
        admin.createUser({}),
        admin.createUser({ email: 'no email' }),
        admin.createUser({ email: newEmail(), id: UNKNOWN }),
        admin.createUser({ email: newEmail(), password_hash: '$argon2id$' }),
        admin.updateUserById(id, { role: 'service_role' }),
        admin.updateUserById(id, { app_metadata: { long: 'x'.repeat(5000) } }),
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
    it('sets free keys of app_metadata, which users and their tokens carry', async () => {
      const auth = services.open
      const { client, session } = await member(auth)
      const admin = adminOf(auth)
      const { id } = session.user
      const update = async (metadata: object) =>
        (await admin.updateUserById(id, { app_metadata: metadata })).data.user?.app_metadata
      const signIn = { provider: 'email', providers: ['email'] }
      expect(await update({ roles: ['publisher'], plan: 'pro', provider: 'forged' })).toEqual({
        ...signIn,
        roles: ['publisher'],
        plan: 'pro',
        role: 'user',
      })
      expect(await update({ plan: null, seats: 3 })).toMatchObject({ roles: ['publisher'], seats: 3 })
      const expected = { ...signIn, roles: ['publisher'], seats: 3 }
      expect((await client.getUser()).data.user?.app_metadata).toEqual(expected)
      await client.refreshSession()
      expect((await client.getClaims()).data?.claims.app_metadata).toEqual(expected)
      const app_metadata = { plan: 'free', role: 'curator' }
      const created = await admin.createUser({ email: newEmail(), app_metadata })
      expect(created.data.user?.app_metadata).toEqual({ ...signIn, ...app_metadata })
    })

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
