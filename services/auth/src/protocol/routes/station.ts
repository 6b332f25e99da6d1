import { authHealthRead, authKeyList, authSettingsRead } from '@looptide/contracts/operations/auth/sign-in'
import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import { isOutage } from '@looptide/service-kit/http/errors'
import { protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { ProviderSettings } from '../../features/credential/provider/provider-settings.ts'
import type { SigningKeys } from '../../features/keys/signing-keys.ts'

export interface StationDeps {
  keys: SigningKeys
  mailConfirmation: boolean
  hasPasskeys: boolean
  oidcProviders: readonly ProviderSettings[]
  signUp: SignUpPolicy
  anonymousSignIn: boolean
}

/** Routes of the auth protocol that describe the station: its keys and sign-in methods. */
export function stationRoutes(deps: StationDeps): Route[] {
  const { keys, mailConfirmation, hasPasskeys, oidcProviders, signUp, anonymousSignIn } = deps
  return [
    protocolRoute(authSettingsRead, () => ({
      external: {
        email: true,
        phone: false,
        anonymous_users: anonymousSignIn && signUp === 'open',
        ...Object.fromEntries(oidcProviders.map(({ id }) => [id, true])),
      },
      disable_signup: signUp !== 'open',
      mailer_autoconfirm: !mailConfirmation,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      passkeys_enabled: hasPasskeys,
      // Our own field: the names of the providers, in the order of their buttons.
      oidc_providers: oidcProviders.map(({ id, name }) => ({ id, name })),
    })),
    protocolRoute(authHealthRead, () => ({
      version: '0.1.0',
      name: 'Looptide auth',
      description: 'Accounts and sessions of the station',
    })),
    protocolRoute(authKeyList, async ({ reply }) => {
      // The keys in memory suffice during an outage of the database: tokens must stay verifiable.
      await keys.load().catch((error: unknown) => {
        if (!isOutage(error)) throw error
      })
      return reply.header('cache-control', 'public, max-age=600').send(keys.published())
    }),
  ]
}
