import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../_harness.ts'
import { pkceTab, startWithProvider } from '../_providers.ts'
import { member } from './tab.ts'

export function providersSuite(): void {
  let station: Awaited<ReturnType<typeof startWithProvider>>
  beforeAll(async () => {
    station = await startWithProvider()
  })
  afterAll(() => station.stop())

  describe('a provider', () => {
    it('is listed in the settings', async () => {
      const { body } = await call(`${station.auth.url}/settings`, 'GET')
      expect(body.external).toMatchObject({ email: true, company: true })
      expect(body.oidc_providers).toEqual([{ id: 'company', name: 'Company' }])
    })

    it('creates an account at the first sign-in, and signs in to it later', async () => {
      const login = station.newLogin()
      const first = await station.signIn(login)
      expect(first.error).toBeNull()
      const { session } = first.data
      expect(session?.user).toMatchObject({
        email: login,
        app_metadata: { provider: 'company', providers: ['company'] },
        user_metadata: { full_name: 'Grace Hopper' },
        identities: [{ provider: 'company', id: login, identity_data: { sub: login, email: login } }],
      })
      expect(decodeJwt(session!.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'oauth' }] })
      expect((await first.client.refreshSession()).data.session?.user.app_metadata.provider).toBe('company')
      const second = await station.signIn(login)
      expect(second.data.session?.user.id).toBe(session?.user.id)
    })

    it('is linked by the signed-in owner, signs in, and is unlinked', async () => {
      const { auth, signIn } = station
      const one = await member(auth)
      const { client } = pkceTab(auth, one.storage)
      const login = station.newLogin()
      const linked = await station.link(client, login)
      expect(linked.error).toBeNull()
      // The session continues.
      expect(decodeJwt(linked.data.session!.access_token).session_id).toBe(
        decodeJwt(one.session.access_token).session_id,
      )
      const { data } = await client.getUserIdentities()
      expect(data?.identities.map((identity) => identity.provider)).toEqual(['email', 'company'])
      expect((await signIn(login)).data.session?.user.id).toBe(one.session.user.id)
      const company = data!.identities.find((identity) => identity.provider === 'company')!
      expect((await client.unlinkIdentity(company)).error).toBeNull()
      expect((await client.unlinkIdentity(company)).error?.code).toBe('identity_not_found')
      expect((await client.getUserIdentities()).data?.identities).toHaveLength(1)
      expect((await signIn(login)).data.session?.user.id).not.toBe(one.session.user.id)
      const mails = () => auth.sink.to(one.email).map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])
      await until('the owner was notified of both', () => mails().length === 2)
      expect(mails().join()).toMatch(/Company was linked.*Company was unlinked/)
    })

    it('is not unlinked when it is the only way to sign in', async () => {
      const { client } = await station.signIn(station.newLogin())
      const [identity] = (await client.getUserIdentities()).data!.identities
      expect((await client.unlinkIdentity(identity!)).error?.code).toBe('single_identity_not_deletable')
      expect((await client.updateUser({ password: 'a password of my own' })).error).toBeNull()
      expect((await client.unlinkIdentity(identity!)).error).toBeNull()
    })
  })
}
