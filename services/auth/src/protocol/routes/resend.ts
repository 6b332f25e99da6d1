import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, ResendBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import type { EmailChangeService } from '../../features/accounts/email-change-service.ts'
import { AuthError } from '../auth-error.ts'
import { readPkce, readProof } from '../read-body.ts'
import type { MailRouteDeps } from './recover.ts'
import { refusePhone } from './refuse-phone.ts'

interface ResendDeps extends MailRouteDeps {
  emailChanges: EmailChangeService
}

/** `POST /resend`: a confirmation mail, or the mails of an email change (`email` is the current email). */
export const resend: FastifyPluginAsyncTypebox<ResendDeps> = async (app, deps) => {
  const { mails, emailChanges, proofs, mailGuard } = deps
  app.post(
    '/resend',
    {
      schema: { body: ResendBody, querystring: RedirectQuery },
      config: { operation: 'auth.confirmation.resend' },
      preValidation: refusePhone,
    },
    async (request) => {
      const { type } = request.body
      if (type !== 'signup' && type !== 'email_change') {
        throw AuthError.validation('Only types signup and email_change can be sent again')
      }
      const email = readEmail(request.body.email)
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      const ip = clientIp(request)
      const proof = proofs.presented(readProof(request.body), { action: 'mail', email, ip })
      const mail = { email, linkOptions, requester: await mailGuard.admit({ email, ip, proof }) }
      if (type === 'signup') await mails.resendSignUp(mail)
      else await emailChanges.resend(mail)
      return {}
    },
  )
}
