import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** `GET /settings`: the sign-in methods this server offers. */
export const getSettings: FastifyPluginAsyncTypebox<{
  mailConfirmation: boolean
  hasPasskeys: boolean
}> = async (app, { mailConfirmation, hasPasskeys }) => {
  app.get('/settings', { config: { operation: 'auth.settings.read' } }, async () => ({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: !mailConfirmation,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: hasPasskeys,
  }))
}
