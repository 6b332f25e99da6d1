import type { Server } from 'node:http'
import { clientNetworkOf } from '@looptide/service-kit/client-network'
import { NetworkCounts } from './network-counts.ts'

/**
 * Closes connections of a client network beyond `maxPerNetwork`, before anything is read from them: idle ones would take
 * the places of all others. Only for a gateway without proxies in front, whose connections are the clients' own.
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
