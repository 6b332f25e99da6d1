import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RecoveryCodesBody } from '@looptide/contracts/http/auth'
import { readFactorCaller } from './factor-caller.ts'
import { presentCodes, type RecoveryDeps } from './recovery-deps.ts'

const DEFAULT_NAME = 'Recovery codes'

/** `POST /factors/recovery-codes`: creates the first set. */
export const createRecoveryCodes: FastifyPluginAsyncTypebox<RecoveryDeps> = async (app, deps) => {
  app.post(
    '/factors/recovery-codes',
    { schema: { body: RecoveryCodesBody }, config: { operation: 'auth.recovery_code.create' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      const name = request.body?.friendly_name || DEFAULT_NAME
      return presentCodes(await deps.recoveryCodes.create(caller, name, client.cause))
    },
  )
}
