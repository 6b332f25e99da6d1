/** docs/product/viewer.md §9: 1, 2, 5, 10 s, then 10 s. */
const RECONNECT_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]
/**
 * Each wait is spread by so much of itself, to both sides: the audience of a gateway that has died loses its sockets in
 * one instant, and must not stand before the next one in one instant too.
 */
const SPREAD = 0.25

/** How long to wait (ms) before try number `tries`, counted from 1; on average that of docs/product/viewer.md §9. */
export function reconnectDelayMs(tries: number, random: () => number = Math.random): number {
  const delayMs = RECONNECT_DELAYS_MS[tries - 1] ?? 10_000
  return Math.round(delayMs * (1 + SPREAD * (2 * random() - 1)))
}

/** So long (ms) what each of an audience asks for by itself is spread, after an outage that ended for all at once. */
export const REJOIN_SPREAD_MS = 5_000
