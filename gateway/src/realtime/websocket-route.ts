import type { App } from '@looptide/service-kit/http/app'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { buildHandshakeApp } from '../fast-path/handshake-app.ts'
import { type HandshakeOptions, NOT_A_HANDSHAKE, type SocketAcceptor, WEBSOCKET_PATH } from './handshake.ts'
import type { HubMetrics } from './hub-metrics.ts'

/** The hub, as far as its route needs it. */
interface WebsocketHub extends SocketAcceptor {
  readonly deps: { readonly logger: Logger; readonly metrics: Pick<HubMetrics, 'refused'> }
  /** Closes every socket. */
  stop(): void
}

interface WebsocketOptions extends HandshakeOptions {
  hub: WebsocketHub
}

/** The socket's endpoint. Handshakes are routed by the handshake app; a plain GET is refused with 426. */
export async function websocketRoute(app: App, options: WebsocketOptions): Promise<void> {
  const { hub } = options
  const { logger, metrics } = hub.deps
  const handshakes = await buildHandshakeApp(app.server, { ...options, logger, refused: metrics.refused })
  app.addHook('preClose', async () => {
    hub.stop()
    await handshakes.close()
  })
  app.get(
    WEBSOCKET_PATH,
    { schema: { hide: true }, config: { operation: 'gateway.socket.open' } },
    async (_request, reply) => {
      const [status, error] = NOT_A_HANDSHAKE
      return reply.status(status).header('connection', 'close').send({ error })
    },
  )
}
