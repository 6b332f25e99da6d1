import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../bearer.ts'
import type { PasskeyRouteDeps } from './passkey-route-deps.ts'

/** `GET /passkeys` */
export const listPasskeys: FastifyPluginAsyncTypebox<PasskeyRouteDeps> = async (app, deps) => {
  app.get('/passkeys', { config: { operation: 'auth.passkey.list' } }, async (request) =>
    deps.passkeys.list(callerOf(request).user.id),
  )
}
