import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isOutage } from '@looptide/service-kit/http/errors'
import type { SigningKeys } from '../../features/keys/signing-keys.ts'

/** `GET /.well-known/jwks.json` */
export const getKeys: FastifyPluginAsyncTypebox<{ keys: SigningKeys }> = async (app, { keys }) => {
  app.get('/.well-known/jwks.json', { config: { operation: 'auth.key.list' } }, async (_request, reply) => {
    // The keys in memory suffice during an outage of the database: tokens must stay verifiable.
    await keys.load().catch((error: unknown) => {
      if (!isOutage(error)) throw error
    })
    return reply.header('cache-control', 'public, max-age=600').send(keys.published())
  })
}
