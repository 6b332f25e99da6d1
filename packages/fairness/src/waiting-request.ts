/** A request that waits to be aired. */
export interface WaitingRequest {
  id: string
  /** The account that asked for it. */
  account: string
  durationMs: number
  /** Epoch ms. */
  requestedAtMs: number
}

/** The first to ask is first; the id decides between requests of one instant. */
export const byTimeOfRequest = (
  a: Pick<WaitingRequest, 'id' | 'requestedAtMs'>,
  b: Pick<WaitingRequest, 'id' | 'requestedAtMs'>,
): number => a.requestedAtMs - b.requestedAtMs || compareIds(a.id, b.id)

/** Compares by UTF-16 code units, on every machine alike; a locale would decide otherwise. */
export const compareIds = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
