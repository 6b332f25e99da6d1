import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PasskeyParams, RenamePasskeyBody } from '@looptide/contracts/http/passkeys'
import { callerOf } from '../../bearer.ts'
import type { PasskeyRouteDeps } from './passkey-route-deps.ts'

/** `PATCH /passkeys/:passkeyId` */
export const renamePasskey: FastifyPluginAsyncTypebox<PasskeyRouteDeps> = async (app, deps) => {
  app.patch(
    '/passkeys/:passkeyId',
    {
      schema: { params: PasskeyParams, body: RenamePasskeyBody },
      config: { operation: 'auth.passkey.rename' },
    },
    async (request) => {
      const { user } = callerOf(request)
      await deps.limits.consume(['update-account', user.id])
      return deps.passkeys.rename(user.id, request.params.passkeyId, request.body.friendly_name.trim())
    },
  )
}
