import { proofOf } from '@looptide/contracts/operation'
import { authSessionLogOut, authUserRead } from '@looptide/contracts/operations/auth/sign-in'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { InvalidTokenError, type TokenClaims } from '@looptide/service-kit/identity/tokens'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { AccessTokens } from '../features/keys/access-tokens.ts'
import { type Caller, isOutdated } from '../features/session/caller.ts'
import { requireProof } from '../features/session/require-proof.ts'
import * as sessionRepository from '../features/session/session-repository.ts'
import * as userRepository from '../features/user/user-repository.ts'
import { AuthError } from './auth-error.ts'

interface BearerDeps {
  db: Kysely<Database>
  tokens: AccessTokens
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of an operation of the auth protocol that is for signed-in users; null for others. */
    caller: Caller | null
  }
}

/** What paired devices may do with their account: read it, and sign out. */
const DEVICE_OPERATIONS: ReadonlySet<string> = new Set([authUserRead.name, authSessionLogOut.name])

/**
 * Hook that identifies the callers of operations for signed-in users, and requires what they must prove. It runs before
 * the body is read, so that a refusal does not depend on the body.
 */
export function requireCaller(deps: BearerDeps & { now: () => number }) {
  return async (request: FastifyRequest): Promise<void> => {
    const { definition: operation } = request.routeOptions.config
    if (operation?.audience !== 'user') return
    request.caller = await readCaller(request, deps)
    if (request.caller.isDevice && !DEVICE_OPERATIONS.has(operation.name))
      throw new AuthError('insufficient_scope', 'A paired device may not do this')
    await requireProof(deps.db, request.caller, { operation, proof: proofOf(operation) }, deps.now())
  }
}

/** The caller that {@link requireCaller} has identified. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('The operation is not for signed-in users.')
  return caller
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
  const { sessionId, generation } = claims
  if (isOutdated(generation, session)) {
    throw new AuthError('bad_jwt', 'invalid JWT: the session has newer tokens')
  }
  // Both: a token must not use what its session has proved since.
  const factorVerifiedAt = claims.aal === 'aal2' ? session.factorVerifiedAt : null
  const hasFactor = factorVerifiedAt !== null
  const isDevice = session.method === 'device'
  return { user, sessionId, generation, signedInAt: session.createdAt, factorVerifiedAt, hasFactor, isDevice }
}

/** The cause of changes that a caller requests. */
export const callerCause = ({ user }: Caller, request: FastifyRequest): Cause => ({
  actorId: user.id,
  correlationId: request.id,
})

async function claimsOf(token: string, tokens: AccessTokens): Promise<TokenClaims> {
  try {
    return await tokens.verify(token)
  } catch (error) {
    if (error instanceof InvalidTokenError) throw new AuthError('bad_jwt', error.message)
    throw error
  }
}
