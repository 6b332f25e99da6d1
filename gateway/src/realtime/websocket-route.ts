import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '@looptide/service-kit/server'
import { WebSocketServer } from 'ws'
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
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  })
  app.server.on('upgrade', (request: IncomingMessage, _stream, head: Buffer) => {
    const wire = request.socket
    const wish = readWish(request, options)
    if (typeof wish === 'string')
      sockets.handleUpgrade(request, wire, head, (ws) => hub.accept(ws, wire, wish))
    else refuse(hub, wire, wish)
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

/** The version to speak, or why not. */
function readWish(
  { url = '', headers }: IncomingMessage,
  { hub, allowedOrigins, maxSockets }: WebsocketOptions,
): Version | Refusal {
  const [path, query = ''] = url.split('?', 2)
  if (path !== PATH) return [404, 'No socket lives here.']
  const wishes = new URLSearchParams(query)
  const version = versionOf(wishes)
  if (onlyOne(wishes, 'apikey') === '') return [401, 'An apikey is needed.']
  if (version === null) return [400, 'Only vsn 1.0.0 and 2.0.0 are spoken here.']
  if (!isAllowedOrigin(headers, allowedOrigins)) return [403, 'Not from this origin.']
  if (hub.isLeaving) return [503, CLOSE.restarting[1]]
  if (hub.size >= maxSockets) return [429, 'All seats are taken.']
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
