import { randomUUID } from 'node:crypto'
import { HealthReport, ViewerReport } from '@looptide/contracts/http/admin'
import { PUBLIC_API_KEY, type WebConfig } from '@looptide/contracts/realtime'
import type { App } from '@looptide/service-kit/http/app'
import { type CachedText, cachedText } from '@looptide/service-kit/http/cached-text'
import type { Readiness } from '@looptide/service-kit/process/health'
import type { ViewerCounter } from '../channels/viewer-counter.ts'
import type { GatewayConfig } from '../config.ts'
import { currentFor, type OwnResponses } from '../fast-path/own-responses.ts'
import type { HealthMonitor } from '../health/health-monitor.ts'

/** Time for which clients share a report, in ms. */
const SHARED_MS = 250

/** A text that is never the same as one that a client has. */
const textOf = (body: object): CachedText => cachedText(JSON.stringify(body), `W/"${randomUUID()}"`)

/** GET /api/health: the health of every service, from memory. */
export async function healthRoute(
  app: App,
  { health, own }: { health: HealthMonitor; own: OwnResponses },
): Promise<void> {
  app.get(
    '/api/health',
    { schema: { response: { 200: HealthReport } }, config: { operation: 'gateway.health.read' } },
    async (request, reply) =>
      own.send(request, reply, {
        path: '/api/health',
        text: textOf({ results: health.results() }),
        cacheControl: 'no-store',
        isCurrent: currentFor(SHARED_MS),
      }),
  )
}

/** GET /api/viewers: the viewers of each channel over all gateways, from memory. Public: every viewer sees its channel's count. */
export async function viewersRoute(
  app: App,
  { counter, own }: { counter: Pick<ViewerCounter, 'totals'>; own: OwnResponses },
): Promise<void> {
  app.get(
    '/api/viewers',
    { schema: { response: { 200: ViewerReport } }, config: { operation: 'gateway.viewers.read' } },
    async (request, reply) =>
      own.send(request, reply, {
        path: '/api/viewers',
        text: textOf({ counts: counter.totals() }),
        cacheControl: 'no-store',
        isCurrent: currentFor(SHARED_MS),
      }),
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
export async function configRoute(
  app: App,
  { config, own }: { config: GatewayConfig; own: OwnResponses },
): Promise<void> {
  const text = textOf(webConfig(config))
  app.get('/api/config', { config: { operation: 'gateway.config.read' } }, async (request, reply) =>
    own.send(request, reply, {
      path: '/api/config',
      text,
      cacheControl: 'no-cache',
      isCurrent: () => true,
    }),
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
