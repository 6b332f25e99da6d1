import { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { App } from './app.ts'

/** Interval of the checks while the server closes, in ms. The first bytes of a new connection may arrive before the first. */
const EVERY_MS = 200

/**
 * Closes idle connections until the server has closed. Node closes them once, at the beginning, and would wait for the
 * keep-alive connection of each request that ends later, and for connections on which nothing has been sent, which
 * browsers and HTTP clients open in advance.
 */
export function closeIdleConnections(app: App): void {
  const open = new Set<Socket>()
  // Over TLS, `connection` reports the raw socket, which has received the handshake.
  const event = app.server instanceof HttpsServer ? 'secureConnection' : 'connection'
  app.server.on(event, (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, EVERY_MS)
    app.server.once('close', () => clearInterval(timer))
  })
}
