import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, UpdateUserBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { readEmail } from '../../features/accounts/email.ts'
import type { UpdateService, UserChange } from '../../features/accounts/update-service.ts'
import { clientOf } from '../../features/sign-ins/client-of.ts'
import { presentCurrentUser } from '../../features/users/present-current-user.ts'
import type { MailGuard, MailRequester } from '../../limits/mail-guard.ts'
import type { ProofOfWork } from '../../limits/proof-of-work.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { callerCause, callerOf } from '../bearer.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { refuseAdminAction } from '../refuse-admin-action.ts'
import { refusePhone } from './refuse-phone.ts'

interface UpdateUserDeps {
  db: Kysely<Database>
  updates: UpdateService
  limits: RateLimits
  proofs: ProofOfWork
  mailGuard: MailGuard
  reportRefusal: (request: FastifyRequest) => void
}

/** `PUT /user` */
export const updateUser: FastifyPluginAsyncTypebox<UpdateUserDeps> = async (app, deps) => {
  app.put(
    '/user',
    {
      schema: { body: UpdateUserBody, querystring: RedirectQuery },
      config: { operation: 'auth.user.update' },
      preValidation: refusePhone,
    },
    async (request) => {
      const caller = callerOf(request)
      await deps.limits.consume(['update-account', caller.user.id])
      if (setsAppMetadata(request.body)) {
        const message = 'Updating app_metadata requires admin privileges'
        throw await refuseAdminAction(request, caller, deps, message)
      }
      const read = readChange(request.body, request.query.redirect_to)
      const requester = read.email === null ? undefined : await admitMails(request, read.email, deps)
      const client = { ...clientOf(request), cause: callerCause(caller, request) }
      return presentCurrentUser(deps.db, await deps.updates.update(caller, { ...read, requester }, client))
    },
  )
}

/** Admits the two mails of a new email. The limits of the new mailbox may require a proof of work. */
function admitMails(
  request: FastifyRequest<{ Body: UpdateUserBody }>,
  email: string,
  { proofs, mailGuard }: UpdateUserDeps,
): Promise<MailRequester> {
  const ip = clientIp(request)
  const proof = proofs.presented(readProof(request.body), { action: 'mail', email, ip })
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
