/** docs/product/viewer.md §9: 1, 2, 5, 10 s, then 10 s. */
const RECONNECT_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]
/**
 * Random jitter of each delay, as a fraction of it in both directions. When a gateway fails, all its clients lose
 * their sockets at the same instant; they must not reconnect at the same instant.
 */
const JITTER = 0.25

/** Delay before attempt `tries` (counted from 1), in ms; on average that of the specification. */
export function reconnectDelayMs(tries: number, random: () => number = Math.random): number {
  const delayMs = RECONNECT_DELAYS_MS[tries - 1] ?? 10_000
  return Math.round(delayMs * (1 + JITTER * (2 * random() - 1)))
}

/** Window over which the requests of all clients are spread after an outage, in ms. */
export const REJOIN_SPREAD_MS = 5_000
