import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { ProviderSettings } from '../../features/identities/provider-settings.ts'

/** `GET /settings`: the sign-in methods this server offers. */
export const getSettings: FastifyPluginAsyncTypebox<{
  mailConfirmation: boolean
  hasPasskeys: boolean
  oidcProviders: readonly ProviderSettings[]
  signUp: SignUpPolicy
  anonymousSignIn: boolean
}> = async (app, { mailConfirmation, hasPasskeys, oidcProviders, signUp, anonymousSignIn }) => {
  const enabled = Object.fromEntries(oidcProviders.map(({ id }) => [id, true]))
  app.get('/settings', { config: { operation: 'auth.settings.read' } }, async () => ({
    external: {
      email: true,
      phone: false,
      anonymous_users: anonymousSignIn && signUp === 'open',
      ...enabled,
    },
    disable_signup: signUp !== 'open',
    mailer_autoconfirm: !mailConfirmation,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: hasPasskeys,
    // Our own field: the names of the providers, in the order of their buttons.
    oidc_providers: oidcProviders.map(({ id, name }) => ({ id, name })),
  }))
}
