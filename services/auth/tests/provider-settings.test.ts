import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeAt } from './_authenticator.ts'
import { pkceTab, startWithProvider } from './_providers.ts'
import { member } from './auth-js/tab.ts'

type Station = Awaited<ReturnType<typeof startWithProvider>>
let plain: Station
let mapping: Station
beforeAll(async () => {
  plain = await startWithProvider()
  const roles = { 'tv-admins': 'admin', 'tv-mods': 'moderator' }
  mapping = await startWithProvider({ roleClaim: 'groups', roles, trustEmail: true })
})
afterAll(async () => {
  await plain.stop()
  await mapping.stop()
})

const roleOf = async ({ auth }: Station, userId: string) =>
  (await auth.db.selectFrom('userRoles').select('role').where('userId', '=', userId).executeTakeFirst())?.role

it('a claim decides the role at each sign-in, except that of the last admin', async () => {
  const station = mapping
  const audits = await station.auth.listen('auth.audit.recorded.v1')
  const login = station.newLogin({ groups: ['staff', 'tv-mods', 'tv-admins'] })
  const { id } = (await station.signIn(login)).data.session!.user
  expect(await roleOf(station, id)).toBe('admin')
  // The only admin stays one.
  station.provider.accounts.set(login, { email: login, email_verified: true, groups: [] })
  expect((await station.signIn(login)).error).toBeNull()
  expect(await roleOf(station, id)).toBe('admin')
  await station.signIn(station.newLogin({ groups: 'tv-admins' }))
  await station.signIn(login)
  expect(await roleOf(station, id)).toBe('user')
  const granted = await station.auth.sink.latest(login)
  expect(granted.raw).toContain('has the role admin')
  await until('the entries are published', () => audits.received().length === 3)
  expect(audits.received().map(({ data }) => data)).toMatchObject([
    { action: 'user.role.set', targetId: id, after: { role: 'admin' }, details: { by: 'provider company' } },
    { after: { role: 'admin' } },
    { targetId: id, before: { role: 'admin' }, after: { role: 'user' } },
  ])
  await audits.stop()
})

it('without a claim, the role stays as it is', async () => {
  const station = plain
  const login = station.newLogin({ groups: ['admin'] })
  const { id } = (await station.signIn(login)).data.session!.user
  expect(await roleOf(station, id)).toBeUndefined()
  const row = { userId: id, role: 'moderator', grantedBy: null, updatedAt: new Date() } as const
  await station.auth.db.insertInto('userRoles').values(row).execute()
  await station.signIn(login)
  expect(await roleOf(station, id)).toBe('moderator')
})

it('closed sign-up refuses first sign-ins', async () => {
  const station = await startWithProvider({}, { SIGN_UP: 'closed' })
  const { error } = await station.signIn(station.newLogin())
  expect(error).toMatchObject({ status: 422, code: 'signup_disabled' })
  expect(await station.auth.db.selectFrom('users').select('id').execute()).toEqual([])
  await station.stop()
})

it('trusted emails need no confirmation by the provider', async () => {
  const { data } = await mapping.signIn(mapping.newLogin({ email_verified: undefined }))
  expect(data.session?.user.email_confirmed_at).toEqual(expect.any(String))
})

it('a banned user is refused, and one with a second factor is asked for it', async () => {
  const station = plain
  const { auth } = station
  const one = await member(auth)
  const login = station.newLogin()
  const { client } = pkceTab(auth, one.storage)
  expect((await station.link(client, login)).error).toBeNull()
  const { data: factor } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  const code = codeAt(auth, factor!.totp.secret)
  await client.mfa.challengeAndVerify({ factorId: factor!.id, code })
  const again = await station.signIn(login)
  const { data: level } = await again.client.mfa.getAuthenticatorAssuranceLevel()
  expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  const [, linked] = (await again.client.getUserIdentities()).data!.identities
  expect((await again.client.unlinkIdentity(linked!)).error?.code).toBe('insufficient_aal')
  await auth.db
    .insertInto('userRestrictions')
    .values({
      id: crypto.randomUUID(),
      userId: one.session.user.id,
      restrictionType: 'site_banned',
      reason: 'spam',
      createdBy: null,
      createdByRole: null,
      createdAt: new Date(),
      expiresAt: null,
    })
    .execute()
  expect((await station.signIn(login)).error?.code).toBe('user_banned')
})

it('started sign-ins are deleted when they have expired', async () => {
  const station = plain
  await station.begin(pkceTab(station.auth).client)
  await station.land(await station.begin(pkceTab(station.auth).client), station.newLogin())
  const count = async () =>
    (await station.auth.db.selectFrom('providerFlows').select('step').execute()).length
  const before = await count()
  expect(before).toBeGreaterThan(1)
  await station.auth.housekeeping.run()
  expect(await count()).toBe(before)
  station.auth.clock.advance(601_000)
  await station.auth.housekeeping.run()
  expect(await count()).toBe(0)
})

it('while a provider is unreachable, only its own sign-ins are refused', async () => {
  const station = plain
  const { auth, begin, approve, locationOf } = station
  const { client } = pkceTab(auth)
  // Returned from the provider before it failed.
  const callback = await approve(await begin(client), station.newLogin())
  await station.provider.stop()
  const landed = await locationOf(callback)
  expect(landed.searchParams.get('error_code')).toBe('request_timeout')
  expect(landed.searchParams.get('error_description')).toContain('Company is not responding')
  await auth.restart({})
  const url = new URL(await begin(pkceTab(auth).client))
  expect([url.searchParams.get('error'), url.searchParams.get('error_code')]).toEqual([
    'server_error',
    'request_timeout',
  ])
  expect((await member(auth)).session.user.email).toContain('@')
})
