import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RecoverBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import type { MailService } from '../../features/accounts/mail-service.ts'
import type { MailGuard } from '../../limits/mail-guard.ts'
import type { ProofOfWork } from '../../limits/proof-of-work.ts'
import { readPkce, readProof } from '../read-body.ts'

export interface MailRouteDeps {
  mails: MailService
  proofs: ProofOfWork
  mailGuard: MailGuard
}

/** `POST /recover` */
export const recover: FastifyPluginAsyncTypebox<MailRouteDeps> = async (app, deps) => {
  const { mails, proofs, mailGuard } = deps
  app.post(
    '/recover',
    {
      schema: { body: RecoverBody, querystring: RedirectQuery },
      config: { operation: 'auth.password.recover' },
    },
    async (request) => {
      const email = readEmail(request.body.email)
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      const ip = clientIp(request)
      const proof = proofs.presented(readProof(request.body), { action: 'mail', email, ip })
      await mails.recover({ email, linkOptions, requester: await mailGuard.admit({ email, ip, proof }) })
      return {}
    },
  )
}
