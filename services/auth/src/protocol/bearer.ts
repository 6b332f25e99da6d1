import type { Cause } from '@looptide/service-kit/events/outbox'
import { InvalidTokenError } from '@looptide/service-kit/identity/tokens'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Caller } from '../features/accounts/caller.ts'
import type { AccessClaims, AccessTokens } from '../features/keys/access-tokens.ts'
import { sessionRepository } from '../features/sessions/session-repository.ts'
import { userRepository } from '../features/users/user-repository.ts'
import { AuthError } from './auth-error.ts'

interface BearerDeps {
  db: Kysely<Database>
  tokens: AccessTokens
}

/** The bearer token of a request. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]

/** Verifies the token and that its user and session still exist (docs/protocols/auth.md, "Auth check"). */
export async function readCaller(request: FastifyRequest, { db, tokens }: BearerDeps): Promise<Caller> {
  const token = bearerOf(request)
  if (token === undefined) {
    throw new AuthError('no_authorization', 'This endpoint requires a Bearer token')
  }
  const claims = await claimsOf(token, tokens)
  const user = await userRepository.byId(db, claims.userId)
  if (user === undefined) {
    throw new AuthError('user_not_found', 'User from sub claim in JWT does not exist')
  }
  const session = await sessionRepository.confirmReceipt(db, claims)
  if (session === undefined) {
    throw new AuthError('session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  // Both: a token from before the second factor must not use what its session has proved since.
  const hasFactor = session.hasFactor && claims.aal === 'aal2'
  return { user, sessionId: claims.sessionId, hasFactor }
}

/** The cause of changes that a caller requests. */
export const callerCause = ({ user }: Caller, request: FastifyRequest): Cause => ({
  actorId: user.id,
  correlationId: request.id,
})

async function claimsOf(token: string, tokens: AccessTokens): Promise<AccessClaims> {
  try {
    return await tokens.verify(token)
  } catch (error) {
    if (error instanceof InvalidTokenError) throw new AuthError('bad_jwt', error.message)
    throw error
  }
}
