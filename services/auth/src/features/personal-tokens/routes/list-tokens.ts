import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PersonalTokenList } from '@looptide/contracts/http/personal-tokens'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PersonalTokenService } from '../personal-token-service.ts'

/** `GET /api/me/tokens` */
export const listTokens: FastifyPluginAsyncTypebox<{ personalTokens: PersonalTokenService }> = async (
  app,
  { personalTokens },
) => {
  app.get(
    '/api/me/tokens',
    { schema: { response: { 200: PersonalTokenList } }, config: { operation: 'auth.personal_token.list' } },
    async (request) => ({ items: await personalTokens.list(signedIn(request).id) }),
  )
}
