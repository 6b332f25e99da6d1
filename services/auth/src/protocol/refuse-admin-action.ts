import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Caller } from '../features/session/caller.ts'
import { isAnonymous } from '../features/user/require-address.ts'
import { findRole } from '../features/user/role-repository.ts'
import { AuthError } from './auth-error.ts'

interface RefusalDeps {
  db: Kysely<Database>
  /** Reports `request`, with `request.user`, to the audit log. */
  reportRefusal: (request: FastifyRequest) => void
}

/** Creates the `not_admin` error for an admin action and reports the attempt to the audit log. */
export async function refuseAdminAction(
  request: FastifyRequest,
  { user, sessionId, generation, hasFactor, signedInAt, factorVerifiedAt }: Caller,
  { db, reportRefusal }: RefusalDeps,
  message: string,
): Promise<AuthError> {
  request.user = {
    id: user.id,
    sessionId,
    generation,
    email: user.email ?? '',
    isAnonymous: isAnonymous(user),
    role: await findRole(db, user.id),
    aal: hasFactor ? 'aal2' : 'aal1',
    signedInAtMs: signedInAt.getTime(),
    hasFactor,
    factorVerifiedAtMs: factorVerifiedAt?.getTime() ?? null,
    scopes: null,
    lacksFactor: false,
  }
  reportRefusal(request)
  return new AuthError('not_admin', message)
}
