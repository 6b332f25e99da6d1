import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type ClientNetwork, clientNetworkOf } from '@looptide/service-kit/client-network'

type Asking = Pick<IncomingMessage, 'headers' | 'socket'>

/** Addresses whose network is remembered; parsing one costs more than all else a limit does. */
const MAX_REMEMBERED = 10_000

/** Finds out who sends a request: the client's address, and the networks that limits count by. */
export class ClientReader {
  readonly #trustedHops: number
  readonly #networks = new Map<string, ClientNetwork>()

  /** `trustedHops`: number of our own proxies in front of the gateway; 0 ignores `X-Forwarded-For`. */
  constructor(trustedHops: number) {
    this.#trustedHops = trustedHops
  }

  /**
   * The client's address. Each trusted proxy appends the address of its own peer to `X-Forwarded-For`, so the client is
   * the entry at the number of hops from the right; everything left of it is the client's own text. With fewer entries
   * than hops the request did not come through all proxies, and an entry that is no address was not written by one of
   * them: then the connection's address counts.
   */
  addressOf({ headers, socket }: Asking): string {
    const peer = socket.remoteAddress ?? ''
    if (this.#trustedHops === 0) return peer
    const forwarded = headers['x-forwarded-for']
    const entries = (typeof forwarded === 'string' ? forwarded : (forwarded ?? []).join(',')).split(',')
    const entry = withoutPort((entries.at(-this.#trustedHops) ?? '').trim())
    return isIP(entry) === 0 ? peer : entry
  }

  networkOf(request: Asking): ClientNetwork {
    const address = this.addressOf(request)
    const known = this.#networks.get(address)
    if (known !== undefined) return known
    const network = clientNetworkOf(address)
    if (this.#networks.size >= MAX_REMEMBERED) this.#networks.clear()
    this.#networks.set(address, network)
    return network
  }
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (entry: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry
