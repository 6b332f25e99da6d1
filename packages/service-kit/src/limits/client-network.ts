import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/** Networks by which rate limits count. Different notations of one IP address give the same values. */
export interface ClientNetwork {
  /** The IPv4 address, or the IPv6 /64: the range usually assigned to one connection. */
  network: string
  /** The IPv6 /48: the range that one site may be assigned (RFC 6177 §2). For IPv4 the same as `network`. */
  site: string
}

/** Limit of a site (IPv6 /48), as a multiple of the limit of one of its networks (/64). */
export const SITE_FACTOR = 4

/** A counter that an action of a client is charged to. */
interface NetworkRange {
  key: string
  /** The limit of this counter, as a multiple of the limit of one network. */
  times: number
}

/**
 * The counters that every limit by network charges: the client's network, and its site if that is larger. A limit that
 * used the network alone would allow the owner of a /48 65,536 times as much.
 */
export function networkRanges({ network, site }: ClientNetwork): readonly NetworkRange[] {
  const own = { key: network, times: 1 }
  return site === network ? [own] : [own, { key: site, times: SITE_FACTOR }]
}

/**
 * The networks of an IP address. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) count as IPv4; zone ids are ignored.
 * Text that is not an IP address is its own network, so that it is rate-limited too.
 */
export function clientNetworkOf(ip: string): ClientNetwork {
  const bare = ip.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return { network: bare, site: bare }
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return { network: parsed.toString(), site: parsed.toString() }
  return { network: prefixOf(parsed, 64), site: prefixOf(parsed, 48) }
}

/**
 * The network of an IP address as its user and admins see it, shortened so that it does not name one connection: IPv4 /24
 * or IPv6 /48. Text that is not an IP address is null.
 */
export function shownNetworkOf(ip: string): string | null {
  const { site } = clientNetworkOf(ip)
  if (ipaddr.IPv4.isValidFourPartDecimal(site))
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${site}/24`)}/24`
  return site.includes('/') ? site : null
}

const prefixOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${bits}`)}/${bits}`

/**
 * A pseudonymous id of an anonymous visitor: a keyed hash of the site's network, which does not reveal the IP address.
 * Visitors of one IPv6 /48 share an id; otherwise one visitor could use 65,536 ids.
 */
export const anonymousVisitorId = (ip: string, key: string): string => siteDigest(clientNetworkOf(ip), key)

/** A keyed hash of the site's network, which does not reveal it. */
export const siteDigest = ({ site }: Pick<ClientNetwork, 'site'>, key: string): string =>
  createHmac('sha256', key).update(site).digest('base64url').slice(0, 22)
