/** Time after a sign-in by email in which its session may set a password without the current one, in ms. */
const EMAIL_SIGN_IN_MS = 3_600_000

/** Whether the session started with an emailed link or code within the last `withinMs` (the token's `amr` claim). */
export function signedInByEmail(accessToken: string, nowMs: number, withinMs = EMAIL_SIGN_IN_MS): boolean {
  const amr = claimsOf(accessToken)?.amr
  if (!Array.isArray(amr)) return false
  return amr.some(
    (entry: { method?: unknown; timestamp?: unknown } | null) =>
      entry?.method === 'otp' &&
      typeof entry.timestamp === 'number' &&
      nowMs - entry.timestamp * 1000 < withinMs,
  )
}

/** Whether the account has a second factor that the session was not verified with (the token's `second_factor` claim). */
export const needsSecondFactor = (accessToken: string): boolean =>
  claimsOf(accessToken)?.second_factor === 'pending'

/** The session of a token that belongs to a paired TV; undefined for other sessions. */
export function pairedSessionOf(accessToken: string): string | undefined {
  const amr = claimsOf(accessToken)?.amr
  const isPaired =
    Array.isArray(amr) && amr.some((entry: { method?: unknown } | null) => entry?.method === 'device')
  return isPaired ? sessionIdOf(accessToken) : undefined
}

/** The session of a token (its `session_id` claim); undefined if it has none. */
export function sessionIdOf(accessToken: string): string | undefined {
  const id = claimsOf(accessToken)?.session_id
  return typeof id === 'string' ? id : undefined
}

/** The account of a token (its `sub` claim); undefined if it has none. */
export function userIdOf(accessToken: string): string | undefined {
  const id = claimsOf(accessToken)?.sub
  return typeof id === 'string' ? id : undefined
}

/** The token's claims, unverified: only the server verifies tokens. */
function claimsOf(accessToken: string): Record<string, unknown> | undefined {
  const payload = accessToken.split('.')[1]
  if (!payload) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
