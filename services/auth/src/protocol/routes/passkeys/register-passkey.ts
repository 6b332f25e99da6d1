import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyRegistrationBody } from '@looptide/contracts/http/passkeys'
import { readCaller } from '../../bearer.ts'
import type { PasskeyRouteDeps } from './passkey-route-deps.ts'

/** `POST /passkeys/registration/options` and `/verify` */
export const registerPasskey: FastifyPluginAsyncTypebox<PasskeyRouteDeps> = async (app, deps) => {
  const { passkeys, limits } = deps
  app.post(
    '/passkeys/registration/options',
    { config: { operation: 'auth.passkey.registration_options' } },
    async (request) => {
      const caller = await readCaller(request, deps)
      await limits.consume(['update-account', caller.user.id])
      return passkeys.registrationOptions(caller)
    },
  )
  app.post(
    '/passkeys/registration/verify',
    { schema: { body: VerifyRegistrationBody }, config: { operation: 'auth.passkey.register' } },
    async (request) => {
      const caller = await readCaller(request, deps)
      await limits.consume(['passkey-account', caller.user.id])
      return passkeys.register(caller, request.body.challenge_id, request.body.credential)
    },
  )
}
