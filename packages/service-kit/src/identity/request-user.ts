import { anonymousRefusal } from '@looptide/contracts/anonymous-users'
import type { Role } from '@looptide/contracts/common'
import { GUARD_MESSAGES } from '@looptide/contracts/errors'
import { isStaffOperation } from '@looptide/contracts/http/operations'
import { may, type Permission } from '@looptide/contracts/permissions'
import { SCOPE_OF } from '@looptide/contracts/token-scopes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { errors } from '../http/errors.ts'
import { type AccessList, roleOfSession } from './access-list.ts'
import {
  InvalidTokenError,
  SecondFactorPendingError,
  type TokenClaims,
  type TokenVerifier,
} from './tokens.ts'

/** The signed-in user of a request. */
export interface RequestUser {
  id: string
  sessionId: string
  email: string
  /** The user signed in without an account (docs/decisions/0062). */
  isAnonymous: boolean
  /** `user` while {@link lacksFactor}. */
  role: Role
  /** The user has a higher role, but not in this session: its second factor is missing. */
  lacksFactor: boolean
  /** `aal2` after a second factor. */
  aal: TokenClaims['aal']
  /** When the second factor was verified, in epoch ms. Null with `aal1`. */
  factorVerifiedAtMs: number | null
  /** Scopes of the personal access token that the request was sent with. Null for a session. */
  scopes: readonly string[] | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a visitor who is not signed in. */
    user: RequestUser | null
  }
  interface FastifyContextConfig {
    /** The endpoint's name in logs and metrics: `<owner>.<entity>.<verb>`. */
    operation?: string
  }
}

/** The user of a bearer token; null if the token is invalid or expired or its session has ended. */
async function identify(
  token: string,
  verifier: TokenVerifier,
  access: AccessList,
): Promise<RequestUser | null> {
  try {
    const claims = await verifier.verify(token)
    if (!access.loaded) throw errors.unavailable('The sign-in service')
    if (access.isRevoked(claims.sessionId)) return null
    return {
      id: claims.userId,
      sessionId: claims.sessionId,
      email: claims.email,
      isAnonymous: claims.isAnonymous,
      ...roleOfSession(access, claims),
      aal: claims.aal,
      factorVerifiedAtMs: claims.factorVerifiedAtMs,
      scopes: claims.scopes,
    }
  } catch (error) {
    if (error instanceof SecondFactorPendingError) throw errors.secondFactorRequired()
    if (error instanceof InvalidTokenError) return null
    throw error
  }
}

/**
 * Sets `request.user`. A request with an invalid token gets 401 instead of being treated as a visitor's, so that the
 * client notices that its session has ended. Routes below `ownProtocol` check their tokens themselves.
 */
export const requestUser = fp<{ verifier: TokenVerifier; access: AccessList; ownProtocol?: string }>(
  async (app, { verifier, access, ownProtocol }) => {
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request, reply) => {
      const header = request.headers.authorization
      if (header === undefined || !/^bearer /i.test(header)) return
      if (ownProtocol !== undefined && request.url.startsWith(ownProtocol)) return
      request.user = await identify(header.slice(7).trim(), verifier, access)
      if (request.user === null) throw errors.unauthorized('Your session has ended. Please sign in again.')
      if (request.user.scopes !== null && !request.is404) requireScope(request, request.user.scopes)
      if (request.user.isAnonymous && !request.is404) requireOpenToAnonymous(request)
      // Responses to signed-in users are not cached unless the route says otherwise.
      reply.header('cache-control', 'no-store')
    })
  },
  { name: 'request-user' },
)

/** Refuses an operation that the scopes of a personal access token do not include. Throws `insufficient_scope`. */
function requireScope(request: FastifyRequest, scopes: readonly string[]): void {
  const operation = request.routeOptions.config.operation ?? ''
  const scope = SCOPE_OF.get(operation) ?? null
  if (scope === null || !scopes.includes(scope))
    throw errors.insufficientScope(scope, isStaffOperation(operation))
}

/** Refuses an operation that needs an account. Throws `forbidden`. */
function requireOpenToAnonymous(request: FastifyRequest): void {
  const operation = request.routeOptions.config.operation ?? ''
  const refusal = anonymousRefusal(operation)
  if (refusal !== null) throw errors.accountRequired(refusal, isStaffOperation(operation))
}

/** Hook for a scope of routes: `app.addHook('onRequest', requireUser)`. */
export async function requireUser(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  signedIn(request)
}

/** Throws 401 without a signed-in user, 403 if the user's role does not allow this. */
export function requirePermission(request: FastifyRequest, permission: Permission): void {
  if (!may(signedIn(request).role, permission)) throw errors.forbidden()
}

/** Time for which a second factor that was verified counts for dangerous actions, in ms. */
const FACTOR_FRESH_MS = 600_000

/**
 * For actions that do much damage in a stolen session: a user with a second factor must have verified it within the last
 * ten minutes. Throws `second_factor_outdated`.
 */
export function requireFreshFactor(request: FastifyRequest, nowMs = Date.now()): void {
  const { factorVerifiedAtMs } = signedIn(request)
  if (factorVerifiedAtMs !== null && nowMs - factorVerifiedAtMs > FACTOR_FRESH_MS) {
    throw errors.secondFactorOutdated()
  }
}

/** The signed-in user. Throws 401 if there is none. */
export function signedIn(request: FastifyRequest): RequestUser {
  if (request.user === null) throw errors.unauthorized(GUARD_MESSAGES.unauthorized)
  return request.user
}
