import type { Server } from 'node:http'
import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import { NetworkCounts } from './network-counts.ts'

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
