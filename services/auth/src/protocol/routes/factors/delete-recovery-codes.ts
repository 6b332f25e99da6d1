import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readFactorCaller } from './factor-caller.ts'
import type { RecoveryDeps } from './recovery-deps.ts'

/** `DELETE /factors/recovery-codes` */
export const deleteRecoveryCodes: FastifyPluginAsyncTypebox<RecoveryDeps> = async (app, deps) => {
  app.delete(
    '/factors/recovery-codes',
    { config: { operation: 'auth.recovery_code.delete' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      return { id: await deps.recoveryCodes.remove(caller, client.cause) }
    },
  )
}
