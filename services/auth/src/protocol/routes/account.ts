import type { UpdateUserBody } from '@looptide/contracts/http/auth'
import {
  authSessionLogOut,
  authUserRead,
  authUserReauthenticate,
  authUserUpdate,
} from '@looptide/contracts/operations/auth/sign-in'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { type Call, protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { UpdateService, UserChange } from '../../features/account/update-service.ts'
import type { ReauthenticationService } from '../../features/credential/code/reauthentication-service.ts'
import type { MailGuard, MailRequester } from '../../features/limits/mail-guard.ts'
import type { ProofOfWork } from '../../features/limits/proof-of-work.ts'
import type { RateLimits } from '../../features/limits/rate-limits.ts'
import { clientOf } from '../../features/session/client-of.ts'
import type { SessionChoice } from '../../features/session/session-repository.ts'
import type { SessionService } from '../../features/session/session-service.ts'
import { readEmail } from '../../features/user/email.ts'
import { presentCurrentUser } from '../../features/user/present-current-user.ts'
import { AuthError } from '../auth-error.ts'
import { callerCause, callerOf } from '../bearer.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { refuseAdminAction } from '../refuse-admin-action.ts'
import { refusePhone } from './refuse-phone.ts'

export interface AccountDeps {
  db: Kysely<Database>
  updates: UpdateService
  limits: RateLimits
  proofs: ProofOfWork
  mailGuard: MailGuard
  reportRefusal: (request: FastifyRequest) => void
  reauthentication: ReauthenticationService
  sessions: SessionService
}

/** Routes of the auth protocol about the caller's own account. */
export const accountRoutes = (deps: AccountDeps): Route[] => [
  protocolRoute(authUserRead, ({ request }) => presentCurrentUser(deps.db, callerOf(request).user)),
  protocolRoute(authUserUpdate, (call) => update(call, deps), { preValidation: refusePhone }),
  protocolRoute(authUserReauthenticate, async ({ request }) => {
    const { user } = callerOf(request)
    await deps.limits.consume(['update-account', user.id])
    const ip = clientIp(request)
    const email = user.email ?? ''
    // A GET has no body for a proof; the budget is the user's own.
    const proof = deps.proofs.presented(undefined, { action: 'mail', email, ip })
    const requester = await deps.mailGuard.admit({ email, ip, proof, from: 'owner' })
    await deps.reauthentication.send(user.id, requester)
    return {}
  }),
  protocolRoute(authSessionLogOut, async ({ request, query }) => {
    const { user, sessionId, isDevice } = callerOf(request)
    // A television that somebody else can reach must not sign its owner out everywhere.
    const choice = isDevice ? { only: sessionId } : choiceOf(query.scope ?? 'global', sessionId)
    await deps.sessions.signOut(user.id, choice, { actorId: user.id, correlationId: request.id })
  }),
]

async function update({ request, body, query }: Call<typeof authUserUpdate>, deps: AccountDeps) {
  const caller = callerOf(request)
  await deps.limits.consume(['update-account', caller.user.id])
  if (setsAppMetadata(body)) {
    const message = 'Updating app_metadata requires admin privileges'
    throw await refuseAdminAction(request, caller, deps, message)
  }
  const read = readChange(body, query.redirect_to)
  const requester = read.email === null ? undefined : await admitMails(request, body, read.email, deps)
  const client = { ...clientOf(request), cause: callerCause(caller, request) }
  return presentCurrentUser(deps.db, await deps.updates.update(caller, { ...read, requester }, client))
}

/** Admits the two mails of a new email. The limits of the new mailbox may require a proof of work. */
function admitMails(
  request: FastifyRequest,
  body: UpdateUserBody,
  email: string,
  { proofs, mailGuard }: AccountDeps,
): Promise<MailRequester> {
  const ip = clientIp(request)
  const proof = proofs.presented(readProof(body), { action: 'mail', email, ip })
  return mailGuard.admit({ email, ip, proof, from: 'owner' })
}

const setsAppMetadata = ({ app_metadata: appMetadata }: UpdateUserBody): boolean =>
  appMetadata !== undefined && appMetadata !== null

function readChange(body: UpdateUserBody, redirectTo: unknown): Omit<UserChange, 'requester'> {
  const textOrNull = (text: string | null | undefined): string | null => (text === '' ? null : (text ?? null))
  const email = textOrNull(body.email)
  return {
    email: email === null ? null : readEmail(email),
    password: textOrNull(body.password),
    currentPassword: textOrNull(body.current_password),
    nonce: textOrNull(body.nonce),
    proofOfWork: readProof(body),
    data: readMetadata(body.data),
    linkOptions: { redirectTo, challenge: readPkce(body) },
  }
}

function choiceOf(scope: string, sessionId: string): SessionChoice {
  if (scope === 'global') return 'all'
  if (scope === 'local') return { only: sessionId }
  if (scope === 'others') return { allBut: sessionId }
  throw AuthError.validation('Unsupported logout scope')
}
