import * as operations from '@looptide/contracts/operations/gateway'
import type { App } from '@looptide/service-kit/http/app'
import type { Readiness } from '@looptide/service-kit/http/health'
import { bindRoute, requireComplete } from '@looptide/service-kit/routes/bind-routes'
import type { Route } from '@looptide/service-kit/routes/route'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import type { InternalTls } from '@looptide/service-kit/tls/internal-tls'
import type { Redis } from 'ioredis'
import { CardPainter } from './cards/card-painter.ts'
import { castRoute } from './cast/cast-route.ts'
import type { ChannelStateCache } from './channels/channel-state-cache.ts'
import type { ViewerCounter } from './channels/viewer-counter.ts'
import { type GatewayConfig, socketsPerNetwork } from './config.ts'
import { debugPageRoute } from './debug/debug-page-route.ts'
import { embedRoutes, oembedRoute } from './embeds/embed-routes.ts'
import { FrameAncestors } from './embeds/frame-ancestors.ts'
import { FileResponses } from './fast-path/file-responses.ts'
import { nowRoute } from './fast-path/now-route.ts'
import { OwnResponses } from './fast-path/own-responses.ts'
import { respondFromMemory } from './fast-path/respond-from-memory.ts'
import type { SharedResponses } from './fast-path/shared-responses.ts'
import type { HealthMonitor } from './health/health-monitor.ts'
import { type ApiDocs, docsRoutes } from './http/api-docs.ts'
import { authCors, publicCors } from './http/cors.ts'
import { cspReportsRoute } from './http/csp-reports.ts'
import { LocalLimits } from './http/local-limits.ts'
import type { PersonalTokens } from './http/personal-tokens.ts'
import { proxyRoutes } from './http/proxy.ts'
import { buildPublicServer, handleInOrder } from './http/public-server.ts'
import { sharedLimits } from './http/rate-limits.ts'
import { refuseMalformed } from './http/request-target.ts'
import { requireHttps } from './http/require-https.ts'
import { ownRoutes, probeRoutes, webConfig } from './http/routes.ts'
import { securityHeaders } from './http/security-headers.ts'
import { developmentWebApp, webApp } from './http/web-app.ts'
import { ClientReader } from './limits/client-reader.ts'
import { limitConnections } from './limits/network-counts.ts'
import type { ConnectionCapacity } from './limits/open-files.ts'
import { SocketAdmission } from './limits/socket-admission.ts'
import { feedRoutes } from './now-playing/feed-routes.ts'
import { nowPlayingRoutes } from './now-playing/now-playing-routes.ts'
import type { NowPlayingSource } from './now-playing/now-playing-source.ts'
import type { NowPlayingStreams } from './now-playing/streams/now-playing-streams.ts'
import { nowPlayingStreamRoute } from './now-playing/streams/stream-route.ts'
import { cardRoute } from './pages/card-route.ts'
import { PageMetadataLoader } from './pages/page-metadata-loader.ts'
import { PageRenderer } from './pages/page-renderer.ts'
import { BuiltPage, DevelopmentPage } from './pages/page-sources.ts'
import { type PageSource, PageTemplate } from './pages/page-template.ts'
import { manifestRoute, robotsRoute, sitemapRoute } from './pages/site-routes.ts'
import { broadcastRoutes } from './realtime/broadcast-route.ts'
import type { Hub } from './realtime/hub.ts'
import { websocketRoute } from './realtime/websocket-route.ts'

interface AppDeps {
  config: GatewayConfig
  logger: Logger
  metrics: Metrics
  tls: InternalTls | undefined
  readiness: Readiness
  hub: Hub
  states: ChannelStateCache
  counter: Pick<ViewerCounter, 'totals'>
  health: HealthMonitor
  docs: ApiDocs
  redis: Redis
  shared: SharedResponses
  personalTokens: PersonalTokens
  capacity: ConnectionCapacity
  nowPlaying: NowPlayingSource
  streams: NowPlayingStreams
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Largest proxied request body, in bytes. */
const BODY_LIMIT = 1_048_576

/** HTTP connections of a client network per allowed socket. A browser opens up to six connections to load a page. */
const CONNECTIONS_PER_SOCKET = 4

/** What the hooks and routes of one app share. */
interface AppState {
  files: FileResponses
  clients: ClientReader
  limits: LocalLimits
  /** Open sockets of one client network. */
  socketsPerNetwork: number
}

/** Monotonic clock in ms. */
const monotonicMs = (): number => performance.now()

/** The app on the public port: the gateway's own routes, and the proxy to the services. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, logger, metrics, tls, capacity } = deps
  const clients = new ClientReader(config.trustedHops)
  const app = buildPublicServer({
    logger,
    metrics,
    tls,
    clients,
    bodyLimit: BODY_LIMIT,
    acceptTraceParent: config.trustedHops > 0,
    now: monotonicMs,
  })
  const limits = new LocalLimits({ clients, factor: config.rateLimitFactor, now: monotonicMs })
  const files = new FileResponses()
  const shared = { files, clients, limits, socketsPerNetwork: socketsPerNetwork(config) }
  // Connections above this number are closed at once.
  app.server.maxConnections = capacity.sockets + capacity.http
  if (config.trustedHops === 0)
    limitConnections(app.server, shared.socketsPerNetwork * CONNECTIONS_PER_SOCKET)
  await addHooks(app, deps, shared)
  const routes = [
    ...(await addRealtimeRoutes(app, deps, shared)),
    ...(await addOwnRoutes(app, deps, shared)),
    ...(await addPages(app, deps, shared)),
  ]
  await addProxy(app, deps, shared)
  requireComplete({ name: 'gateway', operations: Object.values(operations) }, routes)
  handleInOrder(app, clients)
  return app
}

async function addHooks(app: App, { config, readiness }: AppDeps, { limits }: AppState): Promise<void> {
  if (config.requireHttps) requireHttps(app, config.siteUrl)
  // During shutdown, kept-alive connections end with their current response, so that none is cut off later.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!readiness.ready) reply.header('connection', 'close')
    done()
  })
  await securityHeaders(app, config)
  await authCors(app)
  await publicCors(app)
  app.addHook('onRequest', async (request, reply) => {
    limits.count('any', request)
    refuseMalformed(request, reply)
  })
}

async function addRealtimeRoutes(
  app: App,
  { config, hub, streams, capacity }: AppDeps,
  { clients, limits, socketsPerNetwork: maxPerNetwork }: AppState,
): Promise<Route[]> {
  const admission = new SocketAdmission({ maxPerNetwork, now: monotonicMs })
  await websocketRoute(app, {
    hub,
    requireHttps: config.requireHttps,
    allowedOrigins: siteOrigins(config),
    maxSockets: () => capacity.sockets - streams.size,
    clients,
    admission,
  })
  const isFull = () => hub.size + streams.size >= capacity.sockets
  const stream = nowPlayingStreamRoute({ streams, clients, limits, admission, isFull })
  await bindRoute(app, stream)
  return [stream, ...(await broadcastRoutes(app, { hub, limits, clients }))]
}

/** API routes that the gateway serves itself. */
async function addOwnRoutes(app: App, deps: AppDeps, { files, limits }: AppState): Promise<Route[]> {
  const { config, readiness, hub, states, counter, health, docs, shared, metrics, logger } = deps
  const own = new OwnResponses()
  respondFromMemory(app, {
    ...{ sources: [shared, own, files], limits, readiness, metrics, logger },
    requireHttps: config.requireHttps,
    acceptTraceParent: config.trustedHops > 0,
  })
  await probeRoutes(app, { readiness })
  const routes = [
    ...ownRoutes({ config, health, counter, own }),
    nowRoute({ states, limits, own }),
    ...nowPlayingRoutes({ source: deps.nowPlaying, own, limits, now: deps.now }),
    ...feedRoutes({ source: deps.nowPlaying, limits, now: deps.now }),
    oembedRoute({ config, source: deps.nowPlaying, limits }),
  ]
  for (const route of routes) await bindRoute(app, route)
  await docsRoutes(app, { docs, limits })
  await debugPageRoute(app, { config, hub, counter })
  return routes
}

async function addProxy(app: App, deps: AppDeps, { clients, limits }: AppState): Promise<void> {
  const { config, redis, shared, personalTokens } = deps
  const { rateLimitFactor: factor, upstreams } = config
  const bodyLimit = BODY_LIMIT
  await app.register(async (scope) => {
    const createLimit = await sharedLimits(scope as App, { redis, factor, clients })
    const options = { upstreams, bodyLimit, factor, createLimit, clients, limits, shared, personalTokens }
    await proxyRoutes(scope as App, options)
  })
}

/** The web app's files and pages, and the files that crawlers and browsers expect with them. */
async function addPages(
  app: App,
  { config, logger, metrics, states, shared, nowPlaying: source }: AppDeps,
  { files, limits }: AppState,
): Promise<Route[]> {
  const site = { ...config, catalogueUrl: config.upstreams.catalogue, logger, now: Date.now }
  const reports = await cspReportsRoute(app, { metrics, limits, now: Date.now })
  await robotsRoute(app, site)
  await sitemapRoute(app, site)
  await manifestRoute(app, site)
  const ancestors = new FrameAncestors(shared)
  await embedRoutes(app, { config, source, ancestors, page: pageSource(config, 'embed'), limits })
  await castRoute(app, { config, page: pageSource(config, 'cast'), limits })
  const schedulerUrl = config.upstreams['stream-scheduler']
  const metadata = new PageMetadataLoader({ ...site, schedulerUrl, states })
  const painter = new CardPainter(site)
  app.addHook('onClose', () => painter.close())
  const cards = cardRoute({ metadata, painter, limits })
  await bindRoute(app, cards)
  const pages = new PageRenderer({
    config,
    metadata,
    template: new PageTemplate(pageSource(config, 'app'), webConfig(config)),
    tvTemplate: new PageTemplate(pageSource(config, 'tv'), webConfig(config)),
  })
  const { webRoot, webDevUrl } = config
  if (webDevUrl === null) await webApp(app, { root: webRoot, pages, limits, files })
  else await app.register(async (scope) => developmentWebApp(scope as App, { webDevUrl, pages }))
  return [reports, cards]
}

/** The pages of the web app: their files in the build, and their paths at Vite. */
const PAGES = {
  app: { file: 'index.html', path: '/' },
  // Hidden in the build, because it is a page of another address.
  tv: { file: '.vite/tv.html', path: '/tv.html' },
  embed: { file: '.vite/embed.html', path: '/embed.html' },
  cast: { file: '.vite/cast.html', path: '/cast.html' },
}

const pageSource = ({ webRoot, webDevUrl }: GatewayConfig, name: keyof typeof PAGES): PageSource =>
  webDevUrl === null
    ? new BuiltPage(webRoot, PAGES[name].file)
    : new DevelopmentPage(new URL(PAGES[name].path, webDevUrl).href)

const siteOrigins = ({ siteUrl, allowedOrigins }: GatewayConfig): string[] => [
  new URL(siteUrl).origin,
  ...allowedOrigins,
]
