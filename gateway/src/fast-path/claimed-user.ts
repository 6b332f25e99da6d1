import type { IncomingMessage } from 'node:http'

/** Longest token that is read, in characters. The station's access tokens have about a thousand. */
const MAX_TOKEN_LENGTH = 8192

/**
 * The user id in a request's bearer token, without verifying the token. Null without a token; undefined for an unreadable
 * one. Use it only to choose between the public response and asking a service, which verifies the token.
 */
export function claimedUserId({ headers }: Pick<IncomingMessage, 'headers'>): string | null | undefined {
  const { authorization } = headers
  if (authorization === undefined) return null
  if (authorization.length > MAX_TOKEN_LENGTH) return undefined
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
