import type { Readiness } from '@looptide/service-kit/health'
import type { Logger } from '@looptide/service-kit/logger'
import type { Metrics } from '@looptide/service-kit/metrics'
import { type App, buildServer } from '@looptide/service-kit/server'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { ChannelStates } from './channels/channel-states.ts'
import type { ViewerCounter } from './channels/viewer-counts.ts'
import type { GatewayConfig } from './config.ts'
import type { HealthBoard } from './health/health-board.ts'
import { type ApiDocs, docsRoutes } from './http/api-docs.ts'
import { authCors } from './http/auth-cors.ts'
import { cspReportsRoute } from './http/csp-reports.ts'
import { proxyRoutes } from './http/proxy.ts'
import { rateLimits } from './http/rate-limits.ts'
import { configRoute, healthRoute, nowRoute, probeRoutes, viewersRoute, webConfig } from './http/routes.ts'
import { securityHeaders } from './http/security-headers.ts'
import type { SharedAnswers } from './http/shared-answers.ts'
import { webApp } from './http/web-app.ts'
import { PageFinder } from './pages/page-finder.ts'
import { Pages } from './pages/page-routes.ts'
import { PageTemplate } from './pages/page-template.ts'
import { manifestRoute, robotsRoute, sitemapRoute } from './pages/site-routes.ts'
import type { Hub } from './realtime/hub.ts'
import { websocketRoute } from './realtime/websocket-route.ts'

export interface AppDeps {
  config: GatewayConfig
  logger: Logger
  metrics: Metrics
  readiness: Readiness
  hub: Hub
  states: ChannelStates
  counter: Pick<ViewerCounter, 'totals'>
  board: HealthBoard
  docs: ApiDocs
  redis: Redis
  shared: SharedAnswers
}

/** Bodies passed on to services, in bytes. */
const BODY_LIMIT = 1_048_576

/** Connections beside those of sockets. Beyond all of them new ones are closed at once, before they cost more than that. */
const OTHER_CONNECTIONS = 5000

/** The public door: what is answered here, and what is passed on. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, logger, metrics, readiness, hub, states, counter, board, docs, redis, shared } = deps
  const app = buildServer({
    name: 'gateway',
    logger,
    metrics,
    bodyLimit: BODY_LIMIT,
    acceptTraceParent: config.trustProxy,
  })
  app.server.maxConnections = config.maxSockets + OTHER_CONNECTIONS
  const clientAddress = addressReader(config.trustProxy)

  // First of all hooks: what is at hand needs none of the others.
  app.addHook('onRequest', (request, reply, done) => {
    if (!readiness.ready || !shared.answerAtOnce(request, reply)) done()
  })
  // On the way out, connections that are kept open end with the answer in hand: none is cut off later.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!readiness.ready) reply.header('connection', 'close')
    done()
  })
  await securityHeaders(app, config)
  await authCors(app)
  await websocketRoute(app, { hub, allowedOrigins: siteOrigins(config), maxSockets: config.maxSockets })
  await probeRoutes(app, { readiness })
  await healthRoute(app, { board })
  await viewersRoute(app, { counter })
  await configRoute(app, { config })
  await nowRoute(app, { states })
  await docsRoutes(app, { docs })
  await app.register(async (scope) => {
    const { rateLimitFactor, upstreams } = config
    await rateLimits(scope as App, { redis, factor: rateLimitFactor, clientAddress })
    await proxyRoutes(scope as App, {
      upstreams,
      bodyLimit: BODY_LIMIT,
      rateLimitFactor,
      clientAddress,
      shared,
    })
  })
  const site = { ...config, catalogueUrl: config.upstreams.catalogue, logger, now: Date.now }
  await cspReportsRoute(app, { metrics, now: Date.now })
  await robotsRoute(app, site)
  await sitemapRoute(app, site)
  await manifestRoute(app, site)
  const pages = new Pages({
    config,
    finder: new PageFinder({ ...site, states }),
    template: new PageTemplate(config.webRoot, webConfig(config)),
  })
  await webApp(app, { root: config.webRoot, pages })
  return app
}

const siteOrigins = ({ siteUrl, allowedOrigins }: GatewayConfig): string[] => [
  new URL(siteUrl).origin,
  ...allowedOrigins,
]

/** Who asks: the peer, or what the trusted proxy in front of us says of its peer (the last entry is its own). */
function addressReader(trustProxy: boolean): (request: FastifyRequest) => string {
  return (request) => {
    const forwarded = request.headers['x-forwarded-for']
    const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined
    return (trustProxy ? last : undefined) ?? request.ip
  }
}
