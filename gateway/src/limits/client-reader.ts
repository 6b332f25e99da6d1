import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type ClientNetwork, clientNetworkOf } from '@looptide/service-kit/limits/client-network'

type ClientRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** IP addresses whose network is cached. Parsing one costs more than the rest of a rate limit. */
const MAX_CACHED = 10_000

/** Determines the sender of a request: the client's IP address, and the networks that limits count by. */
export class ClientReader {
  readonly #trustedHops: number
  readonly #networks = new Map<string, ClientNetwork>()

  /** `trustedHops`: number of our own proxies in front of the gateway; 0 ignores `X-Forwarded-For`. */
  constructor(trustedHops: number) {
    this.#trustedHops = trustedHops
  }

  /**
   * The client's IP address. Each trusted proxy appends the address of its peer to `X-Forwarded-For`. The client is the
   * entry at the number of hops from the right; the entries left of it are written by the client. The connection's address
   * is used if there are fewer entries than hops, or if the entry is not an IP address: then a proxy was bypassed.
   */
  ipOf({ headers, socket }: ClientRequest): string {
    const peer = socket.remoteAddress ?? ''
    if (this.#trustedHops === 0) return peer
    const forwarded = headers['x-forwarded-for']
    const entries = (typeof forwarded === 'string' ? forwarded : (forwarded ?? []).join(',')).split(',')
    const entry = withoutPort((entries.at(-this.#trustedHops) ?? '').trim())
    return isIP(entry) === 0 ? peer : entry
  }

  networkOf(request: ClientRequest): ClientNetwork {
    const ip = this.ipOf(request)
    const known = this.#networks.get(ip)
    if (known !== undefined) return known
    const network = clientNetworkOf(ip)
    if (this.#networks.size >= MAX_CACHED) this.#networks.clear()
    this.#networks.set(ip, network)
    return network
  }
}

/** Removes the port that some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (entry: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry
