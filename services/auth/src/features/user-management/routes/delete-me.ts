import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeleteMeBody } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import { clientOf } from '../../sign-ins/client-of.ts'
import { type DeleteAccountDeps, deleteAccount } from '../delete-account.ts'

/** `DELETE /api/me` */
export const deleteMe: FastifyPluginAsyncTypebox<DeleteAccountDeps & { limits: RateLimits }> = async (
  app,
  deps,
) => {
  app.delete(
    '/api/me',
    { schema: { body: DeleteMeBody }, config: { operation: 'auth.me.delete' } },
    async (request, reply) => {
      const user = signedIn(request)
      await deps.limits.consume(['update-account', user.id])
      const client = { ...clientOf(request), cause: causeOf(request) }
      await deleteAccount(deps, user, request.body, client)
      return reply.status(204).send()
    },
  )
}
