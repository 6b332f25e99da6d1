import type { FastifyRequest } from 'fastify'

/** Longer tokens are not read: an access token of this station has about a thousand characters. */
const MAX_TOKEN = 8192

/**
 * The user id that a request's bearer token names, without checking the token: null without a token, undefined for
 * one that cannot be read. Only for choosing between the public answer and asking a service, which checks the token.
 */
export function claimedUserId({ headers }: Pick<FastifyRequest, 'headers'>): string | null | undefined {
  const { authorization } = headers
  if (authorization === undefined) return null
  if (authorization.length > MAX_TOKEN) return undefined
  const payload = /^bearer [\w-]+\.([\w-]+)\.[\w-]+$/i.exec(authorization)?.[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const isObject = typeof claims === 'object' && claims !== null
    return isObject && 'sub' in claims && typeof claims.sub === 'string' ? claims.sub : undefined
  } catch {
    return undefined
  }
}
