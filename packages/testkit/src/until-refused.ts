import { until } from './until.ts'

/** The least rest of a counted minute, so that the second URL is asked within it, in ms. */
const MIN_REST_MS = 10_000

/**
 * Requests the first URL until it is refused with 429, then the second one. Returns how many requests each has accepted. If
 * both are counted together, the second accepts only what the limiter fails to count.
 */
export async function acceptedInTurn(first: string, second: string): Promise<[number, number]> {
  const accepted: [number, number] = [0, 0]
  /** Whether a request is refused, for at least this time. */
  const isRefused = async (which: 0 | 1, url: string, minRestMs: number): Promise<boolean> => {
    const response = await fetch(url)
    const body = await response.text()
    if (response.status === 429)
      return (JSON.parse(body) as { retryAfterMs: number }).retryAfterMs >= minRestMs
    accepted[which] += 1
    return false
  }
  await until('the first refuses', () => isRefused(0, first, MIN_REST_MS), { timeoutMs: 120_000 })
  await until('the second refuses', () => isRefused(1, second, 0))
  return accepted
}
