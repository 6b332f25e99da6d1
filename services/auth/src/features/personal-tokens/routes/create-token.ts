import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CreatedPersonalToken, CreatePersonalTokenBody } from '@looptide/contracts/http/personal-tokens'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { PersonalTokenService } from '../personal-token-service.ts'

interface CreateTokenDeps {
  personalTokens: PersonalTokenService
  limits: RateLimits
}

/** `POST /api/me/tokens` */
export const createToken: FastifyPluginAsyncTypebox<CreateTokenDeps> = async (
  app,
  { personalTokens, limits },
) => {
  app.post(
    '/api/me/tokens',
    {
      schema: { body: CreatePersonalTokenBody, response: { 201: CreatedPersonalToken } },
      config: { operation: 'auth.personal_token.create' },
    },
    async (request, reply) => {
      const user = signedIn(request)
      await limits.consume(['personal-token-account', user.id])
      return reply.status(201).send(await personalTokens.create(user, request.body, causeOf(request)))
    },
  )
}
