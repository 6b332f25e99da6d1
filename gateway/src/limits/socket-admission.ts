import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import { NetworkBuckets } from './network-buckets.ts'
import { NetworkCounts } from './network-counts.ts'

interface SocketAdmissionOptions {
  /** Open sockets of one network at this gateway. An IPv6 /48 may have four times as many. */
  maxPerNetwork: number
  /** Monotonic clock in ms. */
  now: () => number
}

/** Time in which a network may open its whole allowance again, in seconds. */
const REFILL_S = 10

export type Admission = 'ok' | 'too many sockets' | 'too many handshakes'

/** Limits the sockets and the handshakes of each client network. Memory is bounded by the open sockets and the buckets. */
export class SocketAdmission {
  readonly #options: SocketAdmissionOptions
  readonly #handshakes: NetworkBuckets
  readonly #open = new NetworkCounts()

  constructor(options: SocketAdmissionOptions) {
    this.#options = options
    const { maxPerNetwork } = options
    this.#handshakes = new NetworkBuckets({ perSecond: maxPerNetwork / REFILL_S, burst: maxPerNetwork })
  }

  /** Counts a handshake and checks the limits of its network. */
  admit(client: ClientNetwork): Admission {
    const { maxPerNetwork, now } = this.#options
    if (this.#handshakes.take(client, now()) > 0) return 'too many handshakes'
    return this.#open.isFull(client, maxPerNetwork) ? 'too many sockets' : 'ok'
  }

  /** Counts an opened socket. Call {@link closed} once when it is closed. */
  opened(client: ClientNetwork): void {
    this.#open.opened(client)
  }

  closed(client: ClientNetwork): void {
    this.#open.closed(client)
  }
}
