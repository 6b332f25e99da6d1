import type { Server } from 'node:http'
import fastifyWebsocket from '@fastify/websocket'
import { MAX_MESSAGE_BYTES } from '@looptide/contracts/http/broadcast'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { type FastifyReply, fastify } from 'fastify'
import type { Counter } from 'prom-client'
import { isPlainTarget } from '../http/request-target.ts'
import {
  checkHandshake,
  type HandshakeOptions,
  MALFORMED_TARGET,
  NOT_FOUND,
  type Refusal,
  TOO_MANY_HANDSHAKES,
  WEBSOCKET_PATH,
} from '../realtime/handshake.ts'

interface HandshakeAppOptions extends HandshakeOptions {
  refused: Counter<'status'>
  logger: Logger
}

/** Limits on what `ws` buffers of an incomplete message: chunks read from the network, and frames of one message. */
const BUFFER_LIMITS = { maxBufferedChunks: 1024, maxFragments: 128 }

/**
 * A Fastify instance of its own for the WebSocket handshakes of `server`, which upgrades no request at another path. It
 * bypasses the hooks of the gateway's HTTP routes, which a child scope would inherit: they prepare responses and would be a
 * third of the cost of an arrival (bench/arrivals.ts). All checks run before the upgrade.
 */
export async function buildHandshakeApp(server: Server, options: HandshakeAppOptions) {
  const { hub, admission, refused, logger } = options
  const app = fastify({ exposeHeadRoutes: false })
  const refuse = (reply: FastifyReply, refusal: Refusal): void => {
    refused.inc({ status: refusal[0] })
    sendRefusal(reply, refusal)
  }
  await app.register(fastifyWebsocket, {
    options: {
      server,
      maxPayload: MAX_MESSAGE_BYTES,
      ...BUFFER_LIMITS,
      perMessageDeflate: false,
      clientTracking: false,
    },
    errorHandler: (error, socket) => {
      logger.error({ err: error }, 'socket accept failed')
      socket.terminate()
    },
  })
  app.decorateRequest('handshake', null)
  app.addHook('onRequest', (request, reply, done) => {
    const client = options.clients.networkOf(request.raw)
    const result = admission.admit(client)
    request.handshake = { client, admission: result, params: { version: '1.0.0', apiKey: '' } }
    if (result === 'too many handshakes') refuse(reply, TOO_MANY_HANDSHAKES)
    else if (!isPlainTarget(request.originalUrl)) refuse(reply, MALFORMED_TARGET)
    else done()
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, NOT_FOUND))
  app.get(
    WEBSOCKET_PATH,
    {
      websocket: true,
      preValidation: (request, reply, done) => {
        const params = checkHandshake(request, options)
        if (!('version' in params)) return refuse(reply, params)
        if (request.handshake !== null) request.handshake.params = params
        // The response object of an upgrade is never used, and would stay in memory as long as the socket.
        reply.raw.detachSocket(request.raw.socket)
        done()
      },
    },
    (socket, { handshake, raw }) => {
      if (handshake === null) throw new Error('socket opened without a handshake')
      const { client, params } = handshake
      // The plugin's listener would keep the request in memory. The hub adds its own listener at once.
      socket.removeAllListeners('error')
      admission.opened(client)
      socket.once('close', () => admission.closed(client))
      hub.accept({ ws: socket, tcp: raw.socket, client, ...params })
    },
  )
  await app.ready()
  return app
}

/** Responds instead of upgrading. The plugin then closes the connection. */
function sendRefusal(reply: FastifyReply, [status, error]: Refusal): void {
  void reply
    .status(status)
    .headers({ connection: 'close', 'x-content-type-options': 'nosniff' })
    .send({ error })
}
