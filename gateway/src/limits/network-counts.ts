import type { Server } from 'node:http'
import {
  type ClientNetwork,
  clientNetworkOf,
  networkRanges,
} from '@looptide/service-kit/limits/client-network'

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

/**
 * Closes connections of a client network above `maxPerNetwork` before anything is read from them, so that idle connections
 * of one network cannot use up the descriptors. Only for a gateway without a proxy in front of it, where each connection
 * belongs to a client.
 */
export function limitConnections(server: Server, maxPerNetwork: number): void {
  const counts = new NetworkCounts()
  server.on('connection', (socket) => {
    const client = clientNetworkOf(socket.remoteAddress ?? '')
    if (counts.isFull(client, maxPerNetwork)) {
      socket.destroy()
      return
    }
    counts.opened(client)
    socket.once('close', () => counts.closed(client))
  })
}
