import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ExchangedToken, ExchangeTokenBody } from '@looptide/contracts/http/personal-tokens'
import type { PersonalTokenService } from '../personal-token-service.ts'

/** `POST /internal/tokens/exchange`: for gateways. The token itself does not leave them. */
export const exchangeToken: FastifyPluginAsyncTypebox<{ personalTokens: PersonalTokenService }> = async (
  app,
  { personalTokens },
) => {
  app.post(
    '/internal/tokens/exchange',
    {
      schema: { hide: true, body: ExchangeTokenBody, response: { 200: ExchangedToken } },
      config: { operation: 'auth.personal_token.exchange' },
    },
    async ({ body }) => personalTokens.exchange(Buffer.from(body.digest, 'base64url')),
  )
}
