import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PersonalTokenParams } from '@looptide/contracts/http/personal-tokens'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PersonalTokenService } from '../personal-token-service.ts'

/** `DELETE /api/me/tokens/:tokenId`, and `DELETE /api/me/tokens` for all. */
export const revokeTokens: FastifyPluginAsyncTypebox<{ personalTokens: PersonalTokenService }> = async (
  app,
  { personalTokens },
) => {
  app.delete(
    '/api/me/tokens/:tokenId',
    { schema: { params: PersonalTokenParams }, config: { operation: 'auth.personal_token.revoke' } },
    async (request, reply) => {
      await personalTokens.revoke(signedIn(request), request.params.tokenId, causeOf(request))
      return reply.status(204).send()
    },
  )
  app.delete(
    '/api/me/tokens',
    { config: { operation: 'auth.personal_token.revoke_all' } },
    async (request, reply) => {
      await personalTokens.revokeAll(signedIn(request), causeOf(request))
      return reply.status(204).send()
    },
  )
}
