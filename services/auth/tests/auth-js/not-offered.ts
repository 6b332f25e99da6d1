import { GoTrueAdminApi } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../_harness.ts'
import { type AuthServices, member, tab } from './tab.ts'

/** Features of the stock client that the station has not (docs/protocols/auth.md, "Left out"). */
export function notOfferedSuite(services: AuthServices): void {
  describe('what is not offered is refused in the protocol’s words', () => {
    const phone = '+15550100'
    it('without a session', async () => {
      const { client } = tab(services.open)
      const asked = {
        saml_provider_disabled: [
          client.signInWithSSO({ domain: 'example.test' }),
          client.signInWithSSO({ providerId: '01900000-0000-7000-8000-000000000000' }),
        ],
        provider_disabled: [client.signInWithIdToken({ provider: 'google', token: 'a.b.c' })],
        web3_provider_disabled: [
          client.signInWithWeb3({ chain: 'ethereum', message: 'hello', signature: '0x00' }),
        ],
        phone_provider_disabled: [
          client.signUp({ phone, password: PASSWORD }),
          client.signInWithPassword({ phone, password: PASSWORD }),
          client.signInWithOtp({ phone }),
          client.verifyOtp({ type: 'sms', phone, token: '123456' }),
          client.resend({ type: 'sms', phone }),
        ],
      }
      for (const [code, requests] of Object.entries(asked))
        for (const { error } of await Promise.all<{ error: { code?: unknown } | null }>(requests))
          expect(error?.code).toBe(code)
    })

    it('with the issuer whose ID token is not accepted', async () => {
      const { client } = tab(services.open)
      for (const [provider, issuer] of [
        ['google', 'https://accounts.google.com'],
        ['custom:my-oidc-provider', 'custom:my-oidc-provider'],
      ] as const) {
        const { error } = await client.signInWithIdToken({ provider, token: 'a.b.c' })
        expect(error).toMatchObject({
          status: 400,
          code: 'provider_disabled',
          message: `Provider (issuer "${issuer}") is not enabled`,
        })
      }
    })

    it('with linking, where there are no providers', async () => {
      const { client } = await member(services.open)
      const disabled = {
        status: 404,
        code: 'manual_linking_disabled',
        message: 'Manual linking is disabled',
      }
      const options = { redirectTo: 'http://localhost:8080', scopes: 'openid profile email' }
      expect((await client.linkIdentity({ provider: 'google', options })).error).toMatchObject(disabled)
      const { data } = await client.getUserIdentities()
      expect((await client.unlinkIdentity(data!.identities[0]!)).error).toMatchObject(disabled)
    })

    it('with a session, and in the admin API', async () => {
      const { client } = await member(services.open)
      const factor = await client.mfa.enroll({ factorType: 'phone', phone })
      expect(factor.error?.code).toBe('mfa_phone_enroll_not_enabled')
      expect((await client.updateUser({ phone })).error?.code).toBe('phone_provider_disabled')
      const admin = new GoTrueAdminApi({ url: services.open.url })
      for (const { error } of [
        await client.oauth.getAuthorizationDetails('x'),
        await client.oauth.listGrants(),
        await admin.oauth.listClients(),
        await admin.customProviders.listProviders(),
      ])
        expect(error).toMatchObject({ status: 404, code: 'feature_disabled' })
    })
  })
}
