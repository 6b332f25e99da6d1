import { randomUUID } from 'node:crypto'
import {
  gatewayConfigRead,
  gatewayHealthRead,
  gatewayViewersRead,
} from '@looptide/contracts/operations/gateway'
import { PUBLIC_API_KEY, type WebConfig } from '@looptide/contracts/realtime'
import type { App } from '@looptide/service-kit/http/app'
import { type CachedText, cachedText } from '@looptide/service-kit/http/cached-text'
import type { Readiness } from '@looptide/service-kit/http/health'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { ViewerCounter } from '../channels/viewer-counter.ts'
import type { GatewayConfig } from '../config.ts'
import { currentFor, type OwnResponses } from '../fast-path/own-responses.ts'
import type { HealthMonitor } from '../health/health-monitor.ts'

/** Time for which clients share a report, in ms. */
const SHARED_MS = 250

/** A text that is never the same as one that a client has. */
const textOf = (body: object): CachedText => cachedText(JSON.stringify(body), `W/"${randomUUID()}"`)

interface OwnRoutesDeps {
  config: GatewayConfig
  health: HealthMonitor
  counter: Pick<ViewerCounter, 'totals'>
  own: OwnResponses
}

/** Routes answered from memory: the health of every service, the viewers of each channel, the settings of the web app. */
export function ownRoutes({ config, health, counter, own }: OwnRoutesDeps): Route[] {
  const settings = textOf(webConfig(config))
  return [
    route(gatewayHealthRead, ({ request, reply }) =>
      own.send(request, reply, {
        path: '/api/health',
        text: textOf({ results: health.results() }),
        cacheControl: 'no-store',
        isCurrent: currentFor(SHARED_MS),
      }),
    ),
    // Public: every viewer sees its channel's count.
    route(gatewayViewersRead, ({ request, reply }) =>
      own.send(request, reply, {
        path: '/api/viewers',
        text: textOf({ counts: counter.totals() }),
        cacheControl: 'no-store',
        isCurrent: currentFor(SHARED_MS),
      }),
    ),
    // Pages have them embedded.
    route(gatewayConfigRead, ({ request, reply }) =>
      own.send(request, reply, {
        path: '/api/config',
        text: settings,
        cacheControl: 'no-cache',
        isCurrent: () => true,
      }),
    ),
  ]
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
  requests: config.upstreams.audience !== undefined,
  firestick: config.firestick,
  cast: config.cast,
})

/** GET /livez and /readyz, for orchestrators. Details and metrics are on the metrics port. */
export async function probeRoutes(app: App, { readiness }: { readiness: Readiness }): Promise<void> {
  const hidden = { schema: { hide: true } }
  app.get('/livez', hidden, async () => ({ alive: true }))
  app.get('/readyz', hidden, async (_request, reply) =>
    reply.status(readiness.ready ? 200 : 503).send({ ready: readiness.ready }),
  )
}
