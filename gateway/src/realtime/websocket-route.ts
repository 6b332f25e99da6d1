import fastifyWebsocket from '@fastify/websocket'
import type { App } from '@looptide/service-kit/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Version } from './codec.ts'
import { CLOSE } from './connection.ts'
import type { Hub } from './hub.ts'

export interface WebsocketOptions {
  hub: Hub
  /** Origins whose pages may open the socket, beside the page's own host. */
  allowedOrigins: readonly string[]
  maxSockets: number
}

const PATH = '/realtime/v1/websocket'
/** The largest message a client may send, in bytes (wire contract §4). */
const MAX_FRAME_BYTES = 1_048_576

/** Refused in the words the clients' protocol has for it (wire contract §3). */
async function refuse(reply: FastifyReply, status: number, error: string): Promise<FastifyReply> {
  return reply.status(status).header('connection', 'close').send({ error })
}

/** The socket's address. Everything that is wrong with a handshake is answered before the upgrade. */
export async function websocketRoute(
  app: App,
  { hub, allowedOrigins, maxSockets }: WebsocketOptions,
): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: { maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false, clientTracking: false },
    // Its own way to close would send 1005, after which older clients stay away.
    preClose: (done) => {
      hub.stop()
      done()
    },
    errorHandler: (_error, socket) => socket.terminate(),
  })

  // Any other address would be upgraded first and hung up on afterwards.
  app.addHook('onRequest', async (request, reply) => {
    if (request.ws && request.routeOptions.url !== PATH) return refuse(reply, 404, 'No socket lives here.')
  })

  app.route({
    method: 'GET',
    url: PATH,
    schema: { hide: true },
    config: { operation: 'gateway.socket.open' },
    preValidation: async (request, reply) => {
      const query = request.query as Record<string, unknown>
      if (!request.ws) return refuse(reply, 426, 'This address is for WebSockets.')
      if (typeof query.apikey !== 'string' || query.apikey === '')
        return refuse(reply, 401, 'An apikey is needed.')
      if (versionOf(query) === null) return refuse(reply, 400, 'Only vsn 1.0.0 and 2.0.0 are spoken here.')
      if (!isAllowedOrigin(request, allowedOrigins)) return refuse(reply, 403, 'Not from this origin.')
      if (hub.isLeaving) return refuse(reply, 503, CLOSE.restarting[1])
      if (hub.size >= maxSockets) return refuse(reply, 429, 'All seats are taken.')
      // From here on the socket is not HTTP's any more: it would hold the request and reply for its whole life.
      reply.raw.detachSocket(request.raw.socket)
    },
    handler: async (_request, reply) => refuse(reply, 426, 'This address is for WebSockets.'),
    wsHandler: (socket, request) => {
      const version = versionOf(request.query as Record<string, unknown>)
      // The plugin's listener holds the request; the hub brings its own.
      socket.removeAllListeners('error')
      if (version === null) socket.terminate()
      else hub.accept(socket, request.raw.socket, version)
    },
  })
}

/** A client that names no version speaks the first one. */
function versionOf({ vsn = '1.0.0' }: Record<string, unknown>): Version | null {
  return vsn === '1.0.0' || vsn === '2.0.0' ? vsn : null
}

/**
 * Pages of other sites may not open the socket in a visitor's browser. Programs other than browsers
 * send no origin, and have nothing of the visitor's to misuse.
 */
function isAllowedOrigin({ headers }: FastifyRequest, allowed: readonly string[]): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || allowed.includes(origin)
}
