import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/** The networks that limits count by. Addresses of one client that differ only in notation give the same values. */
export interface ClientNetwork {
  /** The IPv4 address, or the IPv6 /64: what one connection is usually given. */
  network: string
  /** The IPv6 /48: what one site may be given (RFC 6177 §2). For IPv4 the same as `network`. */
  site: string
}

/**
 * The networks of an address. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) count as IPv4, zone ids are ignored.
 * Text that is no address is its own network, so that it is limited too.
 */
export function clientNetworkOf(address: string): ClientNetwork {
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return { network: bare, site: bare }
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return { network: parsed.toString(), site: parsed.toString() }
  return { network: prefixOf(parsed, 64), site: prefixOf(parsed, 48) }
}

const prefixOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${bits}`)}/${bits}`

/**
 * A name for an anonymous visitor that does not reveal the address: a keyed hash of the site. Visitors of one IPv6 /48
 * share a name; otherwise one visitor could act under 65,536 names.
 */
export function anonymousVisitorId(address: string, key: string): string {
  return createHmac('sha256', key).update(clientNetworkOf(address).site).digest('base64url').slice(0, 22)
}
