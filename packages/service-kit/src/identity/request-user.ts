import type { Role } from '@looptide/contracts/common'
import { GUARD_MESSAGES } from '@looptide/contracts/errors'
import { anonymousRefusal, isStaffOperation, scopeOf } from '@looptide/contracts/operation'
import { may, type Permission } from '@looptide/contracts/permissions'
import { FRESH_FACTOR_MS, type Proof, RECENT_SIGN_IN_MS } from '@looptide/contracts/proofs'
import type { FastifyRequest } from 'fastify'
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
  /** Generation of the token (docs/protocols/auth.md, "Generations"). */
  generation: number
  email: string
  /** The user signed in without an account (docs/decisions/0062). */
  isAnonymous: boolean
  /** `user` while {@link lacksFactor}. */
  role: Role
  /** The user has a higher role, but not in this session: its second factor is missing. */
  lacksFactor: boolean
  /** `aal2` after a second factor. */
  aal: TokenClaims['aal']
  /** When the session was started, in epoch ms. Null for a personal access token. */
  signedInAtMs: number | null
  /** The user has a second factor. */
  hasFactor: boolean
  /** When the second factor was verified, in epoch ms. Null with `aal1`, and for a personal access token. */
  factorVerifiedAtMs: number | null
  /** Scopes of the personal access token or paired device that the request was sent with. Null for other sessions. */
  scopes: readonly string[] | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a visitor who is not signed in. */
    user: RequestUser | null
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
    if (access.isRevoked(claims)) return null
    return {
      id: claims.userId,
      sessionId: claims.sessionId,
      generation: claims.generation,
      email: claims.email,
      isAnonymous: claims.isAnonymous,
      ...roleOfSession(access, claims),
      aal: claims.aal,
      signedInAtMs: claims.signedInAtMs,
      hasFactor: claims.hasFactor,
      factorVerifiedAtMs: claims.factorVerifiedAtMs,
      scopes: claims.scopes,
    }
  } catch (error) {
    if (error instanceof SecondFactorPendingError) throw errors.secondFactorRequired()
    if (error instanceof InvalidTokenError) return null
    throw error
  }
}

interface RequestUserOptions {
  verifier: TokenVerifier
  access: AccessList
  /** Path prefix of routes that check the bearer token themselves. */
  ownProtocol?: string | undefined
}

/**
 * Sets `request.user`. A request with an invalid token gets 401 instead of being treated as a visitor's, so that the
 * client notices that its session has ended. Routes below `ownProtocol` check their tokens themselves.
 */
export const requestUser = fp<RequestUserOptions>(
  async (app, { verifier, access, ownProtocol }) => {
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request, reply) => {
      const header = request.headers.authorization
      if (header === undefined || !/^bearer /i.test(header)) return
      if (ownProtocol !== undefined && request.url.startsWith(`${ownProtocol}/`)) return
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

/** Refuses an operation that the scopes of a personal access token or paired device do not include. Throws `insufficient_scope`. */
function requireScope(request: FastifyRequest, scopes: readonly string[]): void {
  const { definition: operation } = request.routeOptions.config
  const scope = operation === undefined ? null : scopeOf(operation)
  if (scope === null || !scopes.includes(scope))
    throw errors.insufficientScope(scope, operation !== undefined && isStaffOperation(operation))
}

/** Refuses an operation that needs an account. Throws `forbidden`. */
function requireOpenToAnonymous(request: FastifyRequest): void {
  const { definition: operation } = request.routeOptions.config
  const refusal = anonymousRefusal(operation ?? {})
  if (refusal !== null)
    throw errors.accountRequired(refusal, operation !== undefined && isStaffOperation(operation))
}

/** Throws 401 without a signed-in user, 403 if the user's role does not allow this. */
export function requirePermission(request: FastifyRequest, permission: Permission): void {
  if (!may(signedIn(request).role, permission)) throw errors.forbidden()
}

const isWithin = (periodMs: number, atMs: number | null, nowMs: number): boolean =>
  atMs !== null && nowMs - atMs <= periodMs

/**
 * For actions that do much damage in a stolen session: a user with a second factor must have verified it within the last
 * ten minutes. Throws `second_factor_outdated`.
 */
export function requireFreshFactor(request: FastifyRequest, nowMs = Date.now()): void {
  const { hasFactor, factorVerifiedAtMs } = signedIn(request)
  if (hasFactor && !isWithin(FRESH_FACTOR_MS, factorVerifiedAtMs, nowMs)) throw errors.secondFactorOutdated()
}

/**
 * Requires a proof of the user's session. Throws `second_factor_required`, `second_factor_outdated`,
 * `recent_sign_in_required`.
 */
export function requireProof(request: FastifyRequest, proof: Proof, nowMs: number): void {
  if (proof === 'none') return
  const { isAnonymous, hasFactor, aal, signedInAtMs, factorVerifiedAtMs } = signedIn(request)
  if (isAnonymous) return
  if (hasFactor) {
    if (aal !== 'aal2') throw errors.secondFactorRequired()
    if (proof === 'factor') return
    const periodMs = proof === 'fresh-factor' ? FRESH_FACTOR_MS : RECENT_SIGN_IN_MS
    if (!isWithin(periodMs, factorVerifiedAtMs, nowMs)) throw errors.secondFactorOutdated()
  } else if (proof !== 'factor' && !isWithin(RECENT_SIGN_IN_MS, signedInAtMs, nowMs)) {
    throw errors.recentSignInRequired()
  }
}

/** The signed-in user. Throws 401 if there is none. */
export function signedIn(request: FastifyRequest): RequestUser {
  if (request.user === null) throw errors.unauthorized(GUARD_MESSAGES.unauthorized)
  return request.user
}
