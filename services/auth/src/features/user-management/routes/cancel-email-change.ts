import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { EmailChangeService } from '../../accounts/email-change-service.ts'

/** `DELETE /api/me/email-change`: cancels a pending email change. Idempotent. */
export const cancelEmailChange: FastifyPluginAsyncTypebox<{ emailChanges: EmailChangeService }> = async (
  app,
  { emailChanges },
) => {
  app.delete(
    '/api/me/email-change',
    { config: { operation: 'auth.email_change.cancel' } },
    async (request, reply) => {
      await emailChanges.cancel(signedIn(request).id)
      return reply.status(204).send()
    },
  )
}
