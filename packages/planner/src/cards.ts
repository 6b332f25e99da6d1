import { IDENT_MAX_MS, IDENT_MIN_MS } from '@looptide/contracts/schedule'

/** Before a hard start, the videos of this time are chosen together, so that they end at the right instant. */
export const FIT_WITHIN_MS = 15 * 60_000

/** An ident is left out where it would make the time before a hard start harder to fill. */
export function hasTimeFor(durationMs: number, remainingMs: number): boolean {
  const restMs = remainingMs - durationMs
  return restMs === 0 || restMs >= FIT_WITHIN_MS
}

/** The length of one of the cards that fill `ms`: at most 30 s, and such that at least 3 s remain for the next one. */
export function cardMs(ms: number): number {
  if (ms <= IDENT_MAX_MS) return ms
  return ms < IDENT_MAX_MS + IDENT_MIN_MS ? ms - IDENT_MIN_MS : IDENT_MAX_MS
}
