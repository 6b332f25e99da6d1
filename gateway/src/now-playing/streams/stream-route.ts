import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import { gatewayNowPlayingStream } from '@looptide/contracts/operations/gateway'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preparedHead } from '../../fast-path/prepared-response.ts'
import { type LocalLimits, tooManyRequests } from '../../http/local-limits.ts'
import type { ClientReader } from '../../limits/client-reader.ts'
import type { SocketAdmission } from '../../limits/socket-admission.ts'
import type { NowPlayingStreams } from './now-playing-streams.ts'

interface StreamRouteDeps {
  streams: NowPlayingStreams
  clients: ClientReader
  limits: LocalLimits
  /** Limits for each client network, together with its sockets. */
  admission: SocketAdmission
  /** Whether the gateway has as many connections as it accepts. */
  isFull: () => boolean
}

/** Wait that a refused client is told, in ms. */
const REFUSED_MS = 10_000
/** Time after which clients connect again, in ms: between these, so that they do not all arrive at once. */
const RETRY_MS = [2000, 6000] as const

/**
 * The route of server-sent events. The connection is taken from the HTTP server; the answer ends with the connection.
 */
export const nowPlayingStreamRoute = (deps: StreamRouteDeps): Route =>
  route(
    gatewayNowPlayingStream,
    async ({ query: { channel }, request, reply }) => {
      const { streams, clients, admission, isFull } = deps
      if (streams.isDraining) throw errors.unavailable('The stream of events')
      const client = clients.networkOf(request.raw)
      const first = await streams.firstMessage(channel)
      if (first === undefined) throw errors.notFound('This channel')
      // Checked without a wait before the connection is counted, so that no others are admitted meanwhile.
      if (isFull() || admission.admit(client) !== 'ok') throw tooManyRequests(REFUSED_MS)
      const { socket } = request.raw
      if (socket.destroyed) return reply.hijack()
      admission.opened(client)
      socket.once('close', () => admission.closed(client))
      const head = headOf(request, reply)
      takeOver(request, reply)
      streams.add(first.channelId, socket, Buffer.concat([head, first.message]))
      return reply
    },
    { onRequest: deps.limits.hook('now') },
  )

/** The head of the answer, with the headers that the hooks have set, and the first line of the stream. */
function headOf({ id }: FastifyRequest, reply: FastifyReply): Buffer {
  const fields = [
    ...preparedHead(reply),
    ...['x-request-id', id, 'date', new Date().toUTCString()],
    ...['content-type', 'text/event-stream', 'cache-control', 'no-store'],
    // nginx would collect the events otherwise.
    ...['x-accel-buffering', 'no', 'connection', 'close'],
  ]
  const lines = fields.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${fields[index + 1]}`] : []))
  return Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\nretry: ${randomInt(...RETRY_MS)}\n`)
}

/** Node's parser of a connection, which has no public interface. */
interface HttpParser {
  unconsume(): void
  remove(): void
  close(): void
}

/**
 * Takes the connection from the HTTP server, which lets go of it as it does for an upgrade (`lib/_http_server.js`): request,
 * response and parser would be more than half of the memory of a client. What the client sends from now on is not read as a
 * request.
 */
function takeOver({ raw }: FastifyRequest, reply: FastifyReply): void {
  const socket: Socket & { parser?: HttpParser | null } = raw.socket
  reply.hijack()
  reply.raw.emit('finish')
  socket.setTimeout(0)
  for (const event of ['data', 'drain', 'end', 'error', 'pause', 'resume', 'timeout'])
    socket.removeAllListeners(event)
  const { parser } = socket
  parser?.unconsume()
  parser?.remove()
  socket.parser = null
  setImmediate(() => parser?.close())
  for (const event of ['data', 'end', 'error']) socket.on(event, () => socket.destroy())
}
