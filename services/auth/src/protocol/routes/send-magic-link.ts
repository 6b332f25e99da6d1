import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OtpBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import { clientOf } from '../../features/sign-ins/client-of.ts'
import type { SignUpGuard } from '../../limits/sign-up-guard.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import type { MailRouteDeps } from './recover.ts'
import { refusePhone } from './refuse-phone.ts'

interface MagicLinkDeps extends MailRouteDeps {
  signUpGuard: SignUpGuard
}

/** `POST /otp` */
export const sendMagicLink: FastifyPluginAsyncTypebox<MagicLinkDeps> = async (app, deps) => {
  const { mails, proofs, mailGuard, signUpGuard } = deps
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
      const ip = clientIp(request)
      const action = createUser ? 'sign-up' : 'mail'
      const proof = proofs.presented(readProof(body), { action, email, ip })
      if (createUser) await signUpGuard.requireProof(proof, ip)
      const requester = await mailGuard.admit({ email, ip, proof })
      const link = { email, userMetadata, createUser, linkOptions, requester }
      await mails.sendMagicLink(link, clientOf(request))
      return {}
    },
  )
}
