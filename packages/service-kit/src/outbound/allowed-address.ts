import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.process>

/** The addresses that the internet routes, of all IPv6 addresses (RFC 4291 §2.4). */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Addresses of the internet's range that a cloud routes to the host of the machine: Azure's services for virtual machines. */
const HOST_ADDRESSES: readonly string[] = ['168.63.129.16']

/** A network in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`. */
export const isNetwork = (text: string): text is string => ipaddr.isValidCIDR(text)

/**
 * Whether requests to URLs of users may connect to an address: it is one of the internet, and neither one of this machine
 * nor one of `stationAddresses`, which a router or a load balancer may translate.
 * Private, loopback, link-local, multicast, translated (NAT64, 6to4) and reserved addresses are none, unless `networks`
 * (CIDRs of the operator) contain them. An IPv4 address within an IPv6 one counts as the IPv4 address.
 */
export function isAllowedAddress(
  text: string,
  networks: readonly string[],
  stationAddresses: readonly string[] = [],
): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (isInNetworks(text, networks)) return true
  const own = [...ownAddresses(), ...stationAddresses]
  return isOfTheInternet(address) && !own.some((one) => ipaddr.process(one).toString() === address.toString())
}

/** Whether one of `networks` (CIDRs) contains a valid address. */
export const isInNetworks = (text: string, networks: readonly string[]): boolean =>
  networks.some((network) => contains(network, ipaddr.process(text)))

function isOfTheInternet(address: Address): boolean {
  if (address.range() !== 'unicast' || HOST_ADDRESSES.includes(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}

function contains(network: string, address: Address): boolean {
  const cidr = ipaddr.parseCIDR(network)
  return cidr[0].kind() === address.kind() && address.match(cidr)
}

/** Read each time: a machine's addresses change while it runs. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
