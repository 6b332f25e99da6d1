import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyRegistrationBody } from '@looptide/contracts/http/passkeys'
import type { PasskeyRegistration } from '../../../features/passkeys/passkey-registration.ts'
import { callerCause, callerOf } from '../../bearer.ts'
import type { PasskeyRouteDeps } from './passkey-route-deps.ts'

interface RegisterDeps extends PasskeyRouteDeps {
  passkeyRegistration: PasskeyRegistration
}

/** `POST /passkeys/registration/options` and `/verify` */
export const registerPasskey: FastifyPluginAsyncTypebox<RegisterDeps> = async (app, deps) => {
  const { passkeyRegistration, limits } = deps
  app.post(
    '/passkeys/registration/options',
    { config: { operation: 'auth.passkey.registration_options' } },
    async (request) => {
      const caller = callerOf(request)
      await limits.consume(['update-account', caller.user.id])
      return passkeyRegistration.options(caller)
    },
  )
  app.post(
    '/passkeys/registration/verify',
    { schema: { body: VerifyRegistrationBody }, config: { operation: 'auth.passkey.register' } },
    async (request) => {
      const caller = callerOf(request)
      await limits.consume(['passkey-account', caller.user.id])
      const { challenge_id: challengeId, credential } = request.body
      return passkeyRegistration.register(caller, challengeId, credential, callerCause(caller, request))
    },
  )
}
