import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientNetwork } from '@looptide/service-kit/client-network'
import type { App } from '@looptide/service-kit/server'
import { WebSocketServer } from 'ws'
import { isPlainTarget } from '../http/request-target.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import type { SocketAdmission } from '../limits/socket-admission.ts'
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

const PATH = '/realtime/v1/websocket'
/** Bounds on what `ws` keeps of an unfinished message: parts read from the network, and frames of one message. */
const MAX_PARTS = { maxBufferedChunks: 1024, maxFragments: 128 }

/** A status and the words for it: `{"error":"…"}` (wire contract §3). */
type Refusal = readonly [status: number, error: string]
const NOT_A_SOCKET: Refusal = [426, 'This address is for WebSockets.']

/**
 * The socket's address. Handshakes do not pass through the router and its hooks: those are made for answers, of which
 * a handshake that goes well has none, and they were a third of what an arrival cost (bench/arrivals.ts). Everything that is wrong with
 * one is answered before the upgrade.
 */
export async function websocketRoute(app: App, options: WebsocketOptions): Promise<void> {
  const { hub } = options
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    ...MAX_PARTS,
    perMessageDeflate: false,
    clientTracking: false,
  })
  app.server.on('upgrade', (request: IncomingMessage, _stream, head: Buffer) => {
    const wire = request.socket
    const client = options.clients.networkOf(request)
    const version = readHandshake(request, options, client)
    if (typeof version !== 'string') return refuse(hub, wire, version)
    sockets.handleUpgrade(request, wire, head, (ws) => {
      options.admission.opened(client)
      ws.once('close', () => options.admission.closed(client))
      hub.accept(ws, wire, version)
    })
  })
  app.addHook('preClose', async () => hub.stop())

  app.get(
    PATH,
    { schema: { hide: true }, config: { operation: 'gateway.socket.open' } },
    async (_request, reply) => {
      const [status, error] = NOT_A_SOCKET
      return reply.status(status).header('connection', 'close').send({ error })
    },
  )
}

/** The protocol version of the handshake, or why it is refused. */
function readHandshake(
  { url = '', headers }: IncomingMessage,
  { hub, allowedOrigins, maxSockets, admission }: WebsocketOptions,
  client: ClientNetwork,
): Version | Refusal {
  const result = admission.admit(client)
  if (result === 'too many handshakes') return [429, 'Too many connection attempts. Try again later.']
  if (!isPlainTarget(url)) return [400, 'The request target is malformed.']
  const [path, search = ''] = url.split('?', 2)
  if (path !== PATH) return [404, 'No socket lives here.']
  const query = new URLSearchParams(search)
  const version = versionOf(query)
  if (onlyOne(query, 'apikey') === '') return [401, 'An apikey is needed.']
  if (version === null) return [400, 'Only vsn 1.0.0 and 2.0.0 are spoken here.']
  if (!isAllowedOrigin(headers, allowedOrigins)) return [403, 'Not from this origin.']
  if (hub.isLeaving) return [503, CLOSE.restarting[1]]
  if (result === 'too many sockets') return [429, 'Too many connections from your network.']
  if (hub.size >= maxSockets) return [429, 'Connection limit reached. Try again later.']
  return version
}

/** The value of a parameter that is there once; empty for none, and for several. */
function onlyOne(query: URLSearchParams, name: string): string {
  const values = query.getAll(name)
  return values.length === 1 ? (values[0] ?? '') : ''
}

/** A client that names no version speaks the first one. */
function versionOf(query: URLSearchParams): Version | null {
  const vsn = query.has('vsn') ? onlyOne(query, 'vsn') : '1.0.0'
  return vsn === '1.0.0' || vsn === '2.0.0' ? vsn : null
}

/**
 * Pages of other sites may not open the socket in a visitor's browser. Programs other than browsers
 * send no origin, and have nothing of the visitor's to misuse.
 */
function isAllowedOrigin({ origin, host }: IncomingMessage['headers'], allowed: readonly string[]): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || allowed.includes(origin)
}

function refuse(hub: Hub, wire: Socket, [status, error]: Refusal): void {
  hub.deps.metrics.refused.inc({ status })
  const body = JSON.stringify({ error })
  // Node has taken its own listener away: without one, a peer that is gone would end the process.
  wire.on('error', () => wire.destroy())
  wire.once('finish', () => wire.destroy())
  wire.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
