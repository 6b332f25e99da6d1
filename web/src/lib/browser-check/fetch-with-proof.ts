import type { Challenge } from 'altcha-lib'

type Solve = (challenge: Challenge) => Promise<string | undefined>

const listeners = new Set<() => void>()
let running = 0

/** Whether this browser is solving a challenge of the server. */
export const isChecking = (): boolean => running > 0

/** Subscribes to the start and end of browser checks. Returns how to unsubscribe. */
export function onCheckingChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function changeRunning(step: 1 | -1): void {
  running += step
  for (const listener of [...listeners]) listener()
}

/** Loaded with the first challenge: most visitors never get one. */
const solveLazily: Solve = async (challenge) =>
  (await import('./solve-challenge.ts')).solveInWorkers(challenge)

/**
 * `fetch` for the auth protocol. A request that is refused with a proof-of-work challenge (429 over a limit, 400 where
 * one is always required) is repeated once with the solution, in the field of the stock client's `captchaToken`. If the challenge cannot be solved (no Web Crypto
 * outside secure contexts), the refusal is returned.
 */
export async function fetchWithProof(
  input: RequestInfo | URL,
  init?: RequestInit,
  solve: Solve = solveLazily,
): Promise<Response> {
  const response = await fetch(input, init)
  const body = init?.body
  if (response.ok || typeof body !== 'string') return response
  const challenge = challengeOf(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )
  if (challenge === undefined) return response
  changeRunning(1)
  try {
    const token = await solve(challenge)
    return token === undefined ? response : await fetch(input, { ...init, body: withToken(body, token) })
  } catch {
    return response
  } finally {
    changeRunning(-1)
  }
}

function challengeOf(body: unknown): Challenge | undefined {
  if (typeof body !== 'object' || body === null || !('challenge' in body)) return undefined
  const { challenge } = body
  const isChallenge = typeof challenge === 'object' && challenge !== null && 'parameters' in challenge
  return isChallenge ? (challenge as Challenge) : undefined
}

const withToken = (body: string, token: string): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), gotrue_meta_security: { captcha_token: token } })
