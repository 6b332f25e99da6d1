import { HealthReport, ViewerReport } from '@looptide/contracts/http/admin'
import { PUBLIC_API_KEY, type WebConfig } from '@looptide/contracts/realtime'
import type { App } from '@looptide/service-kit/http/app'
import type { Readiness } from '@looptide/service-kit/process/health'
import type { ViewerCounter } from '../channels/viewer-counter.ts'
import type { GatewayConfig } from '../config.ts'
import type { HealthMonitor } from '../health/health-monitor.ts'

/** GET /api/health: the health of every service, from memory. */
export async function healthRoute(app: App, { health }: { health: HealthMonitor }): Promise<void> {
  app.get(
    '/api/health',
    { schema: { response: { 200: HealthReport } }, config: { operation: 'gateway.health.read' } },
    async (_request, reply) => reply.header('cache-control', 'no-store').send({ results: health.results() }),
  )
}

/** GET /api/viewers: the viewers of each channel over all gateways, from memory. Public: every viewer sees its channel's count. */
export async function viewersRoute(
  app: App,
  { counter }: { counter: Pick<ViewerCounter, 'totals'> },
): Promise<void> {
  app.get(
    '/api/viewers',
    { schema: { response: { 200: ViewerReport } }, config: { operation: 'gateway.viewers.read' } },
    async (_request, reply) => reply.header('cache-control', 'no-store').send({ counts: counter.totals() }),
  )
}

/** The settings that the web app needs before it starts. */
export const webConfig = (config: GatewayConfig): WebConfig => ({
  brand: config.brand,
  apiKey: PUBLIC_API_KEY,
  youtubeBaseUrl: config.youtubeBaseUrl,
  mailConfirmation: config.mailConfirmation,
  signUp: config.signUp,
  defaultChannelId: 'default',
  fallbackChannelId: 'test-card',
  firestick: config.firestick,
})

/** GET /api/config: the settings of the web app. Pages have them embedded. */
export async function configRoute(app: App, { config }: { config: GatewayConfig }): Promise<void> {
  const body = webConfig(config)
  app.get('/api/config', { config: { operation: 'gateway.config.read' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(body),
  )
}

/** GET /livez and /readyz, for orchestrators. Details and metrics are on the metrics port. */
export async function probeRoutes(app: App, { readiness }: { readiness: Readiness }): Promise<void> {
  const hidden = { schema: { hide: true } }
  app.get('/livez', hidden, async () => ({ alive: true }))
  app.get('/readyz', hidden, async (_request, reply) =>
    reply.status(readiness.ready ? 200 : 503).send({ ready: readiness.ready }),
  )
}
