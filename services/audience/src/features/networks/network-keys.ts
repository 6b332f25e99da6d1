import { clientNetworkOf, siteDigest } from '@looptide/service-kit/limits/client-network'

const DAY_MS = 86_400_000

/** The keys of a client's network: of a day, and of the next one. They do not reveal the network. */
export interface NetworkKeys {
  /** UTC date, `2026-11-28`. */
  day: string
  networkKey: string
  nextNetworkKey: string
}

/** The UTC date of an instant (epoch ms). */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/**
 * The keys of the network of an IP address. They change every day, so that nobody can be followed for longer. Two accounts
 * that were seen on the same day or on consecutive days share the key of one day, so that midnight does not double the
 * number of accounts that count for a network.
 */
export function networkKeysOf(ip: string, secret: string, nowMs: number): NetworkKeys {
  const network = clientNetworkOf(ip)
  const keyOf = (day: string) => siteDigest(network, `network of ${day} ${secret}`)
  const day = dayOf(nowMs)
  return { day, networkKey: keyOf(day), nextNetworkKey: keyOf(dayOf(nowMs + DAY_MS)) }
}
