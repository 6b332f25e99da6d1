import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { AuthDatabase } from '../db/schema.ts'
import { AuthError } from './auth-error.ts'
import type { Caller } from './bearer.ts'

interface RefusalDeps {
  db: Kysely<AuthDatabase>
  /** Reports `request`, of `request.user`, to the audit log. */
  reportRefusal: (request: FastifyRequest) => void
}

/** The `not_admin` refusal of an admin's action. The attempt enters the audit log, within the limit of its user. */
export async function refuseAdminAction(
  request: FastifyRequest,
  { user, sessionId }: Caller,
  { db, reportRefusal }: RefusalDeps,
  message: string,
): Promise<AuthError> {
  const row = await db.selectFrom('userRoles').select('role').where('userId', '=', user.id).executeTakeFirst()
  request.user = { id: user.id, sessionId, email: user.email, role: row?.role ?? 'user' }
  reportRefusal(request)
  return new AuthError('not_admin', message)
}
