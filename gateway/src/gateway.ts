import { connectNats } from '@looptide/service-kit/events/nats'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { App } from '@looptide/service-kit/http/app'
import { buildServer } from '@looptide/service-kit/http/server'
import type { LiveAccessList } from '@looptide/service-kit/identity/access-list'
import { addHealthRoutes, type Readiness } from '@looptide/service-kit/process/health'
import { createLogger, type Logger } from '@looptide/service-kit/process/logger'
import { createMetrics, type Metrics } from '@looptide/service-kit/process/metrics'
import { shutDown } from '@looptide/service-kit/process/shutdown'
import { StationClock } from '@looptide/service-kit/process/station-clock'
import { startTracing } from '@looptide/service-kit/tracing/tracing'
import type { Redis } from 'ioredis'
import { buildApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { buildParts } from './gateway-parts.ts'
import { HealthMonitor } from './health/health-monitor.ts'
import { ApiDocs } from './http/api-docs.ts'
import { connectLimiterRedis } from './http/rate-limits.ts'
import { type ConnectionCapacity, connectionCapacity, openFilesLimit } from './limits/open-files.ts'
import { ALL_AT_ONCE, DRAIN_PACE, drain } from './realtime/drain.ts'
import type { Hub } from './realtime/hub.ts'

/** A running gateway, for tests and for main. */
export interface RunningGateway {
  app: App
  hub: Hub
  /** `http://host:port` of the public port. */
  url: string
  /** `http://host:port` of the metrics port. */
  metricsUrl: string
  close(): Promise<void>
}

/** Number of connections that this process accepts. Warns if the limit of open files is too small for `MAX_SOCKETS`. */
function findCapacity({ maxSockets }: GatewayConfig, logger: Logger): ConnectionCapacity {
  const openFiles = openFilesLimit()
  const capacity = connectionCapacity(maxSockets, openFiles)
  if (capacity.sockets < maxSockets)
    logger.warn(
      { maxSockets, openFiles, lowered: capacity.sockets },
      'MAX_SOCKETS lowered: raise the limit of open files (ulimit -n, LimitNOFILE) to 7,000 more than MAX_SOCKETS',
    )
  return capacity
}

interface MetricsServerDeps {
  logger: Logger
  metrics: Metrics
  readiness: Readiness
  nats: NatsConnection
  redis: Redis
  access: Pick<LiveAccessList, 'loaded'>
}

/** The server of the metrics port: metrics and detailed health checks. */
function buildMetricsServer({ logger, metrics, readiness, nats, redis, access }: MetricsServerDeps): App {
  const server = buildServer({ name: 'gateway-metrics', logger, metrics })
  addHealthRoutes(server, {
    readiness,
    checks: [
      { name: 'nats', check: async () => nats.flush() },
      { name: 'redis', check: async () => void (await redis.ping()) },
      {
        name: 'access list',
        check: () => {
          if (!access.loaded) throw new Error('not loaded yet')
        },
      },
    ],
    metricsText: () => metrics.registry.metrics(),
  })
  return server
}

/** Starts a gateway and resolves when it listens. */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const stopTracing = await startTracing('gateway', config.tracing)
  const logger = createLogger('gateway', config.logLevel)
  const metrics = createMetrics('gateway')
  const readiness: Readiness = { ready: false }
  const nats = await connectNats(config.natsUrl, 'gateway', logger)
  const redis = connectLimiterRedis(config.redisUrl, logger)
  const clock = new StationClock()
  const health = new HealthMonitor(config.upstreams, clock.now)
  const docs = new ApiDocs(config.upstreams)
  const parts = buildParts({ config, nats, logger, metrics, health, clock })
  const { peers, bridge, hub, states, counter, feed, access, shared, refusals } = parts
  const capacity = findCapacity(config, logger)
  const app = await buildApp({ ...parts, config, logger, metrics, readiness, health, docs, redis, capacity })
  const metricsServer = buildMetricsServer({ logger, metrics, readiness, nats, redis, access })

  for (const part of [access, states, counter, bridge, feed, health, docs, hub, peers]) part.start()
  const metricsUrl = await metricsServer.listen({ host: config.host, port: config.metricsPort })
  const url = await app.listen({ host: config.host, port: config.port })
  readiness.ready = true
  logger.info({ url, metricsUrl }, 'gateway listening')

  const setUnready = (): void => {
    readiness.ready = false
  }
  const stopParts = async (): Promise<void> => {
    for (const part of [feed, counter, bridge, states, health, docs, access]) part.stop()
    await peers.stop()
  }
  const drainSockets = (): Promise<void> => drain(hub, peers.isAlone ? ALL_AT_ONCE : DRAIN_PACE)
  const phases = [
    { name: 'unready', deadlineMs: 100, run: setUnready },
    { name: 'sockets', deadlineMs: DRAIN_PACE.maxDurationMs + 1000, run: drainSockets },
    { name: 'http', deadlineMs: 10_000, run: () => app.close() },
    { name: 'refused attempts', deadlineMs: 3000, run: () => refusals.close() },
    { name: 'background', deadlineMs: 1000, run: stopParts },
    { name: 'nats', deadlineMs: 3000, run: () => nats.close() },
    { name: 'shared responses', deadlineMs: 1000, run: () => shared.close() },
    { name: 'redis', deadlineMs: 1000, run: () => redis.disconnect() },
    { name: 'metrics', deadlineMs: 1000, run: () => metricsServer.close() },
    { name: 'traces', deadlineMs: 2000, run: stopTracing },
  ]
  return { app, hub, url, metricsUrl, close: () => shutDown(phases, logger) }
}
