import fastifyWebsocket from '@fastify/websocket'
import type { ClientNetwork } from '@looptide/service-kit/client-network'
import type { App } from '@looptide/service-kit/server'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { isPlainTarget } from '../http/request-target.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import type { Admission, SocketAdmission } from '../limits/socket-admission.ts'
import type { Version } from './codec.ts'
import { CLOSE } from './connection.ts'
import type { Hub } from './hub.ts'
import { MAX_MESSAGE_BYTES } from './hub-limits.ts'

export interface WebsocketOptions {
  hub: Hub
  /** Origins whose pages may open the socket, beside the page's own host. */
  allowedOrigins: readonly string[]
  maxSockets: number
  clients: ClientReader
  /** Limits by client network. */
  admission: SocketAdmission
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on handshakes alone. */
    handshake: { client: ClientNetwork; admission: Admission; version: Version } | null
  }
}

const PATH = '/realtime/v1/websocket'
/** No route: handshakes at any other address than the socket's are routed here. */
const NOWHERE = '/'
/** Bounds on what `ws` keeps of an unfinished message: parts read from the network, and frames of one message. */
const MAX_PARTS = { maxBufferedChunks: 1024, maxFragments: 128 }

/** A status and the words for it: `{"error":"…"}` (docs/protocols/realtime.md §1). */
type Refusal = readonly [status: number, error: string]
const NOT_A_SOCKET: Refusal = [426, 'This address is for WebSockets.']
const TOO_MANY_HANDSHAKES: Refusal = [429, 'Too many connection attempts. Try again later.']
const MALFORMED_TARGET: Refusal = [400, 'The request target is malformed.']
const NOT_FOUND: Refusal = [404, 'No socket lives here.']

/**
 * The socket's address. Handshakes are routed by a Fastify instance of their own on the gateway's HTTP server: a child
 * scope inherits the hooks of its parent, which are made for answers. They would be a third of the cost of an arrival
 * (bench/arrivals.ts), and no route for answers may receive a handshake. All checks come before the upgrade.
 */
export async function websocketRoute(app: App, options: WebsocketOptions): Promise<void> {
  const handshakes = await buildHandshakes(app, options)
  app.addHook('preClose', async () => {
    await options.hub.stop()
    await handshakes.close()
  })
  app.get(
    PATH,
    { schema: { hide: true }, config: { operation: 'gateway.socket.open' } },
    async (_request, reply) => {
      const [status, error] = NOT_A_SOCKET
      return reply.status(status).header('connection', 'close').send({ error })
    },
  )
}

async function buildHandshakes(app: App, options: WebsocketOptions) {
  const { hub, admission } = options
  const scope = fastify({
    exposeHeadRoutes: false,
    // The router answers an address that it cannot decode without any hook, and would leave its connection open.
    rewriteUrl: ({ url = '' }) => (pathOf(url) === PATH ? url : NOWHERE),
  })
  await scope.register(fastifyWebsocket, {
    options: {
      server: app.server,
      maxPayload: MAX_MESSAGE_BYTES,
      ...MAX_PARTS,
      perMessageDeflate: false,
      clientTracking: false,
    },
    errorHandler: (error, socket) => {
      hub.deps.logger.error({ err: error }, 'socket not accepted')
      socket.terminate()
    },
  })
  scope.decorateRequest('handshake', null)
  scope.addHook('onRequest', (request, reply, done) => {
    const client = options.clients.networkOf(request.raw)
    const result = admission.admit(client)
    request.handshake = { client, admission: result, version: '1.0.0' }
    if (result === 'too many handshakes') refuse(hub, reply, TOO_MANY_HANDSHAKES)
    else if (!isPlainTarget(request.originalUrl)) refuse(hub, reply, MALFORMED_TARGET)
    else done()
  })
  scope.setNotFoundHandler((_request, reply) => refuse(hub, reply, NOT_FOUND))
  scope.get(
    PATH,
    {
      websocket: true,
      preValidation: (request, reply, done) => {
        const version = readHandshake(request, options)
        if (typeof version !== 'string') return refuse(hub, reply, version)
        if (request.handshake !== null) request.handshake.version = version
        // The response to an upgrade is never used: it would stay in memory as long as its socket.
        reply.raw.detachSocket(request.raw.socket)
        done()
      },
    },
    (socket, { handshake, raw }) => {
      if (handshake === null) throw new Error('a socket was opened without a handshake')
      const { client, version } = handshake
      // The plugin's listener keeps the request in memory. The hub adds one of its own at once.
      socket.removeAllListeners('error')
      admission.opened(client)
      socket.once('close', () => admission.closed(client))
      hub.accept(socket, raw.socket, version)
    },
  )
  await scope.ready()
  return scope
}

const pathOf = (target: string): string => target.split('?', 1)[0] ?? ''

/** The protocol version of the handshake, or why it is refused. */
function readHandshake(
  { handshake, raw, originalUrl }: FastifyRequest,
  { hub, allowedOrigins, maxSockets }: WebsocketOptions,
): Version | Refusal {
  const [, search = ''] = originalUrl.split('?', 2)
  const query = new URLSearchParams(search)
  if (new Set(query.keys()).size < query.size) return [400, 'Each parameter may be given once.']
  const version = versionOf(query.get('vsn'))
  if ((query.get('apikey') ?? '') === '') return [401, 'An apikey is needed.']
  if (version === null) return [400, 'Only vsn 1.0.0 and 2.0.0 are spoken here.']
  if (!isAllowedOrigin(raw.headers, allowedOrigins)) return [403, 'Not from this origin.']
  if (hub.isLeaving) return [503, CLOSE.restarting[1]]
  if (handshake?.admission === 'too many sockets') return [429, 'Too many connections from your network.']
  if (hub.size >= maxSockets) return [429, 'Connection limit reached. Try again later.']
  return version
}

/** A client that names no version speaks the first one. */
function versionOf(vsn: string | null): Version | null {
  if (vsn === null) return '1.0.0'
  return vsn === '1.0.0' || vsn === '2.0.0' ? vsn : null
}

/**
 * Pages of other sites may not open the socket in a visitor's browser. Programs other than browsers
 * send no origin, and have nothing of the visitor's to misuse.
 */
function isAllowedOrigin({ origin, host }: FastifyRequest['headers'], allowed: readonly string[]): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || allowed.includes(origin)
}

/** Answers instead of upgrading. The plugin closes the connection after it. */
function refuse(hub: Hub, reply: FastifyReply, [status, error]: Refusal): void {
  hub.deps.metrics.refused.inc({ status })
  void reply
    .status(status)
    .headers({ connection: 'close', 'x-content-type-options': 'nosniff' })
    .send({ error })
}
