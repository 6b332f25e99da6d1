import type { RecoverBody, RedirectQuery, ResendBody } from '@looptide/contracts/http/auth'
import {
  authConfirmationResend,
  authMagicLinkSend,
  authPasswordRecover,
} from '@looptide/contracts/operations/auth/sign-in'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { type Call, protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { EmailChangeService } from '../../features/account/email-change-service.ts'
import type { MailService } from '../../features/account/mail-service.ts'
import type { MailGuard } from '../../features/limits/mail-guard.ts'
import type { ProofOfWork } from '../../features/limits/proof-of-work.ts'
import type { SignUpGuard } from '../../features/limits/sign-up-guard.ts'
import { clientOf } from '../../features/session/client-of.ts'
import { readEmail } from '../../features/user/email.ts'
import { requireSmall } from '../../features/user/metadata.ts'
import { AuthError } from '../auth-error.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { refusePhone } from './refuse-phone.ts'

export interface MailDeps {
  mails: MailService
  emailChanges: EmailChangeService
  proofs: ProofOfWork
  mailGuard: MailGuard
  signUpGuard: SignUpGuard
}

/** Routes of the auth protocol that mail links and codes. */
export const mailRoutes = (deps: MailDeps): Route[] => [
  protocolRoute(authMagicLinkSend, (call) => sendMagicLink(call, deps), { preValidation: refusePhone }),
  protocolRoute(authPasswordRecover, async ({ body, query, request }) => {
    await deps.mails.recover(await admitMail(request, body, query, deps))
    return {}
  }),
  protocolRoute(
    authConfirmationResend,
    async ({ body, query, request }) => {
      const { type } = body
      if (type !== 'signup' && type !== 'email_change')
        throw AuthError.validation('Only types signup and email_change can be sent again')
      const mail = await admitMail(request, body, query, deps)
      if (type === 'signup') await deps.mails.resendSignUp(mail)
      else await deps.emailChanges.resend(mail)
      return {}
    },
    { preValidation: refusePhone },
  ),
]

/** Reads the request of a mail to an account, and admits it. Errors: `validation_failed`, and those of the limits. */
async function admitMail(
  request: FastifyRequest,
  body: Static<typeof RecoverBody> | Static<typeof ResendBody>,
  query: Static<typeof RedirectQuery>,
  { proofs, mailGuard }: MailDeps,
) {
  const email = readEmail(body.email)
  const linkOptions = { redirectTo: query.redirect_to, challenge: readPkce(body) }
  const ip = clientIp(request)
  const proof = proofs.presented(readProof(body), { action: 'mail', email, ip })
  return { email, linkOptions, requester: await mailGuard.admit({ email, ip, proof }) }
}

async function sendMagicLink(
  { body, query, request }: Call<typeof authMagicLinkSend>,
  { mails, proofs, mailGuard, signUpGuard }: MailDeps,
) {
  const email = readEmail(body.email)
  const userMetadata = requireSmall(readMetadata(body.data))
  const linkOptions = { redirectTo: query.redirect_to, challenge: readPkce(body) }
  const createUser = body.create_user ?? true
  const ip = clientIp(request)
  const action = createUser ? 'sign-up' : 'mail'
  const proof = proofs.presented(readProof(body), { action, email, ip })
  if (createUser) await signUpGuard.requireProof(proof, ip)
  const requester = await mailGuard.admit({ email, ip, proof })
  const link = { email, userMetadata, createUser, linkOptions, requester }
  await mails.sendMagicLink(link, clientOf(request))
  return {}
}
