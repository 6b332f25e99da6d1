import type { ClientNetwork } from '@looptide/service-kit/http/client-network'
import { SITE_FACTOR } from './network-buckets.ts'

/** Counts the open connections of each client network and each IPv6 /48. Memory is bounded by the open connections. */
export class NetworkCounts {
  readonly #open = new Map<string, number>()

  /** Whether the network has reached `max`, or its site four times as many. */
  isFull({ network, site }: ClientNetwork, max: number): boolean {
    return this.#of(network) >= max || this.#of(site) >= max * SITE_FACTOR
  }

  opened(client: ClientNetwork): void {
    for (const key of keysOf(client)) this.#open.set(key, this.#of(key) + 1)
  }

  closed(client: ClientNetwork): void {
    for (const key of keysOf(client)) {
      const left = this.#of(key) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }

  #of(key: string): number {
    return this.#open.get(key) ?? 0
  }
}

const keysOf = ({ network, site }: ClientNetwork): string[] =>
  network === site ? [network] : [network, site]
