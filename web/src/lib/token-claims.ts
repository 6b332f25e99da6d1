/** So long after a sign-in by mail its session may set a password without naming the old one. */
const MAILED_SIGN_IN_MS = 3_600_000

/** Whether a session was begun by a mailed link or code within the last hour or `withinMs` (the token's `amr` claim). */
export function cameByMail(accessToken: string, nowMs: number, withinMs = MAILED_SIGN_IN_MS): boolean {
  const amr = claimsOf(accessToken)?.amr
  if (!Array.isArray(amr)) return false
  return amr.some(
    (entry: { method?: unknown; timestamp?: unknown } | null) =>
      entry?.method === 'otp' &&
      typeof entry.timestamp === 'number' &&
      nowMs - entry.timestamp * 1000 < withinMs,
  )
}

/** The session a token belongs to (its `session_id` claim); undefined when the token is not one of ours. */
export function sessionIdOf(accessToken: string): string | undefined {
  const id = claimsOf(accessToken)?.session_id
  return typeof id === 'string' ? id : undefined
}

/** What a token says of itself, unverified: the server is the one to judge it. */
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
