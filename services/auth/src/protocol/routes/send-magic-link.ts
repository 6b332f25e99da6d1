import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OtpBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import type { MailService } from '../../features/accounts/mail-service.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import { clientOf } from '../../features/sign-ins/client-of.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { SignUpGuard } from '../../limits/sign-up-guard.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { refusePhone } from './refuse-phone.ts'

interface MagicLinkDeps {
  mails: MailService
  limits: RateLimits
  signUpGuard: SignUpGuard
}

/** `POST /otp` */
export const sendMagicLink: FastifyPluginAsyncTypebox<MagicLinkDeps> = async (app, deps) => {
  const { mails, limits, signUpGuard } = deps
  app.post(
    '/otp',
    {
      schema: { body: OtpBody, querystring: RedirectQuery },
      config: { operation: 'auth.magic_link.send' },
      preValidation: refusePhone,
    },
    async (request) => {
      const { body } = request
      const email = readEmail(body.email)
      const userMetadata = requireSmall(readMetadata(body.data))
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(body) }
      const createUser = body.create_user ?? true
      if (createUser) await signUpGuard.admit({ email, ip: clientIp(request), proof: readProof(body) })
      await limits.consumeMail(clientIp(request))
      await mails.sendMagicLink({ email, userMetadata, createUser, linkOptions }, clientOf(request))
      return {}
    },
  )
}
