import { type ClientNetwork, networkRanges } from '@looptide/service-kit/limits/client-network'

/** Counts the open connections of each client network and each IPv6 /48. Memory is bounded by the open connections. */
export class NetworkCounts {
  readonly #open = new Map<string, number>()

  /** Whether the network has reached `max`, or its site four times as many. */
  isFull(client: ClientNetwork, max: number): boolean {
    return networkRanges(client).some(({ key, times }) => this.#of(key) >= max * times)
  }

  opened(client: ClientNetwork): void {
    for (const { key } of networkRanges(client)) this.#open.set(key, this.#of(key) + 1)
  }

  closed(client: ClientNetwork): void {
    for (const { key } of networkRanges(client)) {
      const left = this.#of(key) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }

  #of(key: string): number {
    return this.#open.get(key) ?? 0
  }
}
