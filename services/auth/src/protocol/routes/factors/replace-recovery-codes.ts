import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readFactorCaller } from './factor-caller.ts'
import { presentCodes, type RecoveryDeps } from './recovery-deps.ts'

/** `POST /factors/recovery-codes/regenerate`: replaces all codes. */
export const replaceRecoveryCodes: FastifyPluginAsyncTypebox<RecoveryDeps> = async (app, deps) => {
  app.post(
    '/factors/recovery-codes/regenerate',
    { config: { operation: 'auth.recovery_code.replace' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      return presentCodes(await deps.recoveryCodes.replace(caller, client.cause))
    },
  )
}
