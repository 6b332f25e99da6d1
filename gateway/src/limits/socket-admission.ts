import type { ClientNetwork } from '@looptide/service-kit/client-network'
import { NetworkBuckets, SITE_FACTOR } from './network-buckets.ts'

export interface SocketAdmissionOptions {
  /** Sockets that one network may have open at this gateway; an IPv6 /48 may have four times as many. */
  maxPerNetwork: number
  /** Monotonic clock in ms. */
  now: () => number
}

/** A network may fill its allowance at once, and then once more in this time, in seconds. */
const REFILL_S = 10

export type Admission = 'ok' | 'too many sockets' | 'too many handshakes'

/** Limits the sockets and the handshakes of each client network. Memory is bounded by the open sockets and the buckets. */
export class SocketAdmission {
  readonly #options: SocketAdmissionOptions
  readonly #handshakes: NetworkBuckets
  /** Open sockets by network, and by site where that is another one. */
  readonly #open = new Map<string, number>()

  constructor(options: SocketAdmissionOptions) {
    this.#options = options
    const { maxPerNetwork } = options
    this.#handshakes = new NetworkBuckets({ perSecond: maxPerNetwork / REFILL_S, burst: maxPerNetwork })
  }

  /** Counts a handshake and answers whether it may go on. */
  admit(client: ClientNetwork): Admission {
    const { maxPerNetwork, now } = this.#options
    if (this.#handshakes.take(client, now()) > 0) return 'too many handshakes'
    const isFull =
      this.#count(client.network) >= maxPerNetwork || this.#count(client.site) >= maxPerNetwork * SITE_FACTOR
    return isFull ? 'too many sockets' : 'ok'
  }

  /** A socket of this client was opened. Call {@link closed} once when it is gone. */
  opened(client: ClientNetwork): void {
    for (const key of keysOf(client)) this.#open.set(key, this.#count(key) + 1)
  }

  closed(client: ClientNetwork): void {
    for (const key of keysOf(client)) {
      const left = this.#count(key) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0
  }
}

const keysOf = ({ network, site }: ClientNetwork): string[] =>
  network === site ? [network] : [network, site]
