import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, SignUpBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { AccountService } from '../../features/accounts/account-service.ts'
import type { AnonymousSignIn } from '../../features/accounts/anonymous-sign-in.ts'
import { readEmail } from '../../features/accounts/email.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import { clientOf } from '../../features/sign-ins/client-of.ts'
import type { MailGuard } from '../../limits/mail-guard.ts'
import type { PresentedProof, ProofOfWork } from '../../limits/proof-of-work.ts'
import type { SignInGuard } from '../../limits/sign-in-guard.ts'
import type { SignUpGuard } from '../../limits/sign-up-guard.ts'
import { AuthError } from '../auth-error.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { recordSignInNetwork } from '../record-network.ts'
import { refusePhone } from './refuse-phone.ts'

interface SignUpDeps {
  accounts: AccountService
  anonymous: AnonymousSignIn
  proofs: ProofOfWork
  mailGuard: MailGuard
  signInGuard: SignInGuard
  signUpGuard: SignUpGuard
  mailConfirmation: boolean
}

/** `POST /signup` */
export const signUp: FastifyPluginAsyncTypebox<SignUpDeps> = async (app, deps) => {
  const { accounts, anonymous, proofs, mailGuard, signUpGuard, mailConfirmation } = deps
  app.post(
    '/signup',
    {
      schema: { body: SignUpBody, querystring: RedirectQuery },
      config: { operation: 'auth.user.sign_up' },
      preValidation: refusePhone,
    },
    async (request) => {
      const { body } = request
      const userMetadata = requireSmall(readMetadata(body.data))
      const ip = clientIp(request)
      const admit = async (email: string): Promise<PresentedProof> => {
        const proof = proofs.presented(readProof(body), { action: 'sign-up', email, ip })
        await signUpGuard.requireProof(proof, ip)
        await signUpGuard.count(proof, ip)
        return proof
      }
      if (isAnonymous(body)) {
        anonymous.requireOffered()
        await admit('')
        return anonymous.signIn(userMetadata, clientOf(request))
      }
      const { email, password } = readCredentials(body)
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(body) }
      const mail = { email, ip, proof: await admit(email), from: 'new' } as const
      const requester = await (mailConfirmation ? mailGuard.admit(mail) : mailGuard.requesterOf(mail))
      const signUp = { email, password, userMetadata, linkOptions, requester }
      const answer = await accounts.signUp(signUp, clientOf(request))
      return recordSignInNetwork(request, answer, deps)
    },
  )
}

/** An anonymous sign-in of the stock client has `data`, which may be empty, and no credentials. */
const isAnonymous = ({ email, password, data }: SignUpBody): boolean =>
  email === undefined && password === undefined && data !== undefined

function readCredentials({ email, password }: SignUpBody): { email: string; password: string } {
  if (email === undefined || password === undefined) {
    throw AuthError.validation('Sign-up requires an email and a password')
  }
  return { email: readEmail(email), password }
}
