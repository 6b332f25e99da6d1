import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '@looptide/service-kit/http/app'
import { buildServer } from '@looptide/service-kit/http/server'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import type { InternalTls } from '@looptide/service-kit/tls/internal-tls'
import { Counter, Gauge } from 'prom-client'
import type { ClientReader } from '../limits/client-reader.ts'
import type { HeldLimits } from '../limits/held-bytes.ts'
import { Transfers } from '../limits/transfers.ts'
import { TurnShare } from '../limits/turn-share.ts'
import { WEBSOCKET_PATH } from '../realtime/handshake.ts'
import { meteredResponses } from './metered-response.ts'
import { limitRequestBodies } from './request-bodies.ts'
import { toOriginForm } from './request-target.ts'

const MIB = 1_048_576
/** Memory of bodies that arrive or wait for a service, and of answers that clients have not read. */
const LIMITS = {
  bodies: { networkBytes: 8 * MIB, totalBytes: 32 * MIB },
  answers: { networkBytes: 16 * MIB, totalBytes: 64 * MIB },
} satisfies Record<string, HeldLimits>

/** Requests of one connection that may wait for the answer of an earlier one. Browsers wait before they send the next. */
const MAX_PIPELINED = 64
/** Requests of one site that begin in a turn of the event loop. A page costs a fifth of a millisecond. */
const SITE_REQUESTS_PER_TURN = 8

interface PublicServerOptions {
  logger: Logger
  metrics: Metrics
  tls: InternalTls | undefined
  clients: ClientReader
  /** Largest body of a request, in bytes. */
  bodyLimit: number
  acceptTraceParent: boolean
  /** Monotonic clock in ms. */
  now: () => number
}

/**
 * The server of the public port. Whatever a client's speed, its request holds a bounded time and memory: bodies and answers
 * are limited here, for every route. `Expect` and `Upgrade` other than the socket's are ignored (RFC 9110 §7.8, §10.1.1).
 */
export function buildPublicServer({ clients, now, ...options }: PublicServerOptions): App {
  const { registry } = options.metrics
  const closed = new Counter({
    name: 'looptide_transfers_closed_total',
    help: 'Connections closed because a client sent its request or read its answer too slowly.',
    labelNames: ['direction', 'fault'],
    registers: [registry],
  })
  const transfers = (direction: keyof typeof LIMITS): Transfers =>
    new Transfers(LIMITS[direction], now, (fault) => closed.inc({ direction, fault }))
  const bodies = transfers('bodies')
  const answers = transfers('answers')
  const held = new Gauge({
    name: 'looptide_transfers_held_bytes',
    help: 'Bytes of request bodies, and of answers that clients have not read.',
    labelNames: ['direction'],
    registers: [registry],
    collect: () => {
      held.set({ direction: 'bodies' }, bodies.bytes)
      held.set({ direction: 'answers' }, answers.bytes)
    },
  })
  const app = buildServer({
    ...options,
    name: 'gateway',
    http: {
      ServerResponse: meteredResponses(answers, clients),
      shouldUpgradeCallback: isHandshake,
      // Node's own answer would have no body, and be written while an earlier request is being answered.
      requireHostHeader: false,
    },
  })
  // Without a listener, Node answers 417 without a body to everything but `100-continue`.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  limitRequestBodies(app, bodies, clients)
  for (const all of [bodies, answers]) {
    all.start()
    app.addHook('onClose', async () => all.stop())
  }
  return app
}

/** The first function that is given a request to upgrade. */
function isHandshake(request: IncomingMessage): boolean {
  toOriginForm(request)
  const { url = '', headers } = request
  return url.split('?', 1)[0] === WEBSOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Handles the requests of a connection one after the other, and those of one site a few at a time. Node hands over all that
 * arrive (RFC 9112 §9.3.2), so that one connection would have any number of pages rendered and files read at once. Call it
 * when the server has its listeners.
 */
export function handleInOrder({ server }: App, clients: ClientReader): void {
  const handlers = server.listeners('request') as RequestListener[]
  const waiting = new WeakMap<Socket, number>()
  const turns = new TurnShare(SITE_REQUESTS_PER_TURN)
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    turns.take(clients.networkOf(request).site, () => {
      if (response.socket === null) return
      for (const handler of handlers) handler.call(server, request, response)
    })
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    toOriginForm(request)
    if (response.socket !== null) return handle(request, response)
    const { socket } = request
    const before = waiting.get(socket) ?? 0
    if (before >= MAX_PIPELINED) return void socket.destroy()
    waiting.set(socket, before + 1)
    // Emitted when the answers before it are sent. Other connections get their turn first.
    response.once('socket', () =>
      setImmediate(() => {
        waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
        handle(request, response)
      }),
    )
  })
}
