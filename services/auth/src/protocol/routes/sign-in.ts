import type { SignUpBody, VerifyBody } from '@looptide/contracts/http/auth'
import {
  authCodeVerify,
  authLinkFollow,
  authTokenIssue,
  authUserSignUp,
} from '@looptide/contracts/operations/auth/sign-in'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { type Call, protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import { PKCE_PREFIX } from '../../crypto/one-time-secret.ts'
import type { Slot } from '../../db/schema.ts'
import { ONE_SIDE_CONFIRMED_MESSAGE, type Outcome } from '../../features/account/verification-service.ts'
import type { RedirectPolicy } from '../../features/credential/code/redirect-policy.ts'
import type { MailGuard } from '../../features/limits/mail-guard.ts'
import type { PresentedProof } from '../../features/limits/proof-of-work.ts'
import type { AnonymousSignIn } from '../../features/registration/anonymous-sign-in.ts'
import { clientOf } from '../../features/session/client-of.ts'
import type { SessionService } from '../../features/session/session-service.ts'
import { readEmail } from '../../features/user/email.ts'
import { requireSmall } from '../../features/user/metadata.ts'
import { AuthError } from '../auth-error.ts'
import { grantTypeOf } from '../oauth-error.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { recordSignInNetwork } from '../record-network.ts'
import { type GrantDeps, issueToken } from './grants.ts'
import { toRedirectError, writeError } from './redirect-error.ts'
import { refusePhone } from './refuse-phone.ts'

/** Slots by the `type` of a mailed link. Types of one slot are interchangeable (docs/protocols/auth.md, "One-time tokens"). */
const SLOTS: ReadonlyMap<string, readonly Slot[]> = new Map<string, readonly Slot[]>([
  ['signup', ['confirmation']],
  ['invite', ['confirmation']],
  ['magiclink', ['recovery']],
  ['recovery', ['recovery']],
  ['email', ['confirmation', 'recovery']],
  ['email_change', ['email_change_current', 'email_change_new']],
])

/** The slots of a type; undefined for an unknown type. */
const slotsOf = (type: string): readonly Slot[] | undefined => SLOTS.get(type)

export interface SignInDeps extends GrantDeps {
  anonymous: AnonymousSignIn
  sessions: SessionService
  mailGuard: MailGuard
  mailConfirmation: boolean
  redirects: RedirectPolicy
}

/** Routes of the auth protocol that sign users up and in. */
export const signInRoutes = (deps: SignInDeps): Route[] => [
  protocolRoute(authUserSignUp, (call) => signUp(call, deps), { preValidation: refusePhone }),
  protocolRoute(authTokenIssue, ({ request }) => issueToken(grantTypeOf(request), request, deps), {
    preValidation: refusePhone,
  }),
  protocolRoute(
    authCodeVerify,
    async ({ request, body }) => {
      await deps.limits.consume(['verify-network', clientIp(request)])
      const outcome = await redeem(body, deps, clientOf(request))
      if (outcome.kind !== 'session') return { msg: ONE_SIDE_CONFIRMED_MESSAGE, code: '200' }
      return recordSignInNetwork(request, await deps.sessions.present(outcome), deps)
    },
    { preValidation: refusePhone },
  ),
  protocolRoute(authLinkFollow, (call) => followLink(call, deps)),
]

async function signUp({ body, request, query }: Call<typeof authUserSignUp>, deps: SignInDeps) {
  const { accounts, anonymous, proofs, mailGuard, signUpGuard, mailConfirmation } = deps
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
  const linkOptions = { redirectTo: query.redirect_to, challenge: readPkce(body) }
  const mail = { email, ip, proof: await admit(email), from: 'new' } as const
  const requester = await (mailConfirmation ? mailGuard.admit(mail) : mailGuard.requesterOf(mail))
  const account = { email, password, userMetadata, linkOptions, requester }
  return recordSignInNetwork(request, await accounts.signUp(account, clientOf(request)), deps)
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

function redeem(
  body: VerifyBody,
  { verifications }: SignInDeps,
  client: ReturnType<typeof clientOf>,
): Promise<Outcome> {
  const slots = slotsOf(body.type)
  if (slots === undefined) throw AuthError.validation('Verify requires a known verification type')
  if (typeof body.token_hash === 'string' && body.token_hash !== '') {
    return verifications.redeemToken(body.token_hash, slots, 'session', client)
  }
  if (typeof body.email !== 'string' || typeof body.token !== 'string') {
    throw AuthError.validation('Verify requires either a token_hash, or an email and a token')
  }
  return verifications.redeemCode(body.email.toLowerCase(), body.token, slots, client)
}

/** Always redirects, because a browser follows the link. */
async function followLink({ request, reply, query }: Call<typeof authLinkFollow>, deps: SignInDeps) {
  if (isPrefetch(request)) return reply.status(503).send()
  const { token = '', type = '', redirect_to: redirectTo } = query
  const target = deps.redirects.resolve(redirectTo)
  try {
    await deps.limits.consume(['verify-network', clientIp(request)])
    const slots = slotsOf(type)
    if (slots === undefined || token === '') throw AuthError.validation('Verify requires a token and a type')
    const outcome = await deps.verifications.redeemToken(token, slots, 'code', clientOf(request))
    if (outcome.kind === 'session') {
      const session = await deps.sessions.present(outcome)
      writeSession(target, await recordSignInNetwork(request, session, deps), type)
    } else if (outcome.kind === 'code') {
      target.searchParams.set('code', outcome.code)
    } else {
      target.hash = new URLSearchParams({ message: ONE_SIDE_CONFIRMED_MESSAGE }).toString()
    }
  } catch (error) {
    writeError(target, toRedirectError(error, request), token.startsWith(PKCE_PREFIX))
  }
  return reply.redirect(target.href, 303)
}

/**
 * Whether a browser prefetches the link (Fetch standard, "Sec-Purpose"; older browsers send `Purpose` or `X-Moz`). A
 * prefetch must not use up the token. The browser requests a link that was answered 503 again when the user opens it.
 */
const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview/i.test(String(headers[name] ?? '')),
  )

/** Writes a session into the fragment of the URL that the browser is redirected to, which is never sent to a server. */
function writeSession(target: URL, session: Record<string, unknown>, type: string): void {
  const names = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'] as const
  const fields = new URLSearchParams(names.map((name): [string, string] => [name, String(session[name])]))
  fields.set('type', type)
  target.hash = fields.toString()
}
