import type { App } from '@looptide/service-kit/http/app'
import { buildServer } from '@looptide/service-kit/http/server'
import type {
  ProcessBase,
  ProcessDefinition,
  ProcessPart,
  RunningProcess,
} from '@looptide/service-kit/process/start-process'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { buildApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { buildParts, type GatewayParts } from './gateway-parts.ts'
import { HealthMonitor } from './health/health-monitor.ts'
import { ApiDocs } from './http/api-docs.ts'
import { connectLimiterRedis } from './http/rate-limits.ts'
import { type ConnectionCapacity, connectionCapacity, openFilesLimit } from './limits/open-files.ts'
import type { NowPlayingStreams } from './now-playing/streams/now-playing-streams.ts'
import { ALL_AT_ONCE, DRAIN_PACE, drain } from './realtime/drain.ts'
import type { Hub } from './realtime/hub.ts'

/** For tests. */
export interface GatewayHandle {
  hub: Hub
  /** `http://host:port` of the metrics port, or `https:`. */
  metricsUrl: string
}

export type RunningGateway = RunningProcess & GatewayHandle

/** Number of connections that this process accepts. Warns if the limit of open files is too small for `MAX_SOCKETS`. */
function findCapacity({ maxSockets }: GatewayConfig, logger: Logger): ConnectionCapacity {
  const openFiles = openFilesLimit()
  const capacity = connectionCapacity(maxSockets, openFiles)
  if (capacity.sockets < maxSockets)
    logger.warn({ maxSockets, openFiles, sockets: capacity.sockets }, 'socket limit lowered')
  return capacity
}

/** The process of a gateway: the public server, the realtime hub, and a second server for probes and metrics. */
export const gatewayProcess = (config: GatewayConfig): ProcessDefinition<GatewayHandle> => ({
  name: 'gateway',
  config,
  build: async (base) => {
    const { nats, logger, metrics, clock, readiness, tls } = base
    const redis = connectLimiterRedis(config.redisUrl, logger)
    const health = new HealthMonitor(config.upstreams, clock.now)
    const docs = new ApiDocs(config.upstreams)
    const parts = buildParts({ config, nats, logger, metrics, health, clock })
    const { hub, access, peers, streams } = parts
    const capacity = findCapacity(config, logger)
    const probes = new ProbeServer(config, base)
    return {
      app: await buildApp({
        ...parts,
        config,
        logger,
        metrics,
        tls,
        readiness,
        health,
        docs,
        ...{ redis, capacity, now: clock.now },
      }),
      probes: probes.app,
      checks: [
        { name: 'redis', check: async () => void (await redis.ping()) },
        {
          name: 'access list',
          check: () => {
            if (!access.loaded) throw new Error('not loaded yet')
          },
        },
      ],
      metricsText: () => metrics.registry.metrics(),
      stores: [
        probes,
        { name: 'redis', deadlineMs: 1000, stop: () => redis.disconnect() },
        { name: 'shared responses', deadlineMs: 1000, stop: () => parts.shared.close() },
      ],
      parts: [
        background({ ...parts, health, docs }),
        { name: 'refused attempts', deadlineMs: 3000, stop: () => parts.refusals.close() },
      ],
      httpDeadlineMs: 10_000,
      drain: {
        name: 'sockets',
        deadlineMs: DRAIN_PACE.maxDurationMs + 1000,
        stop: () => drain(connectionsOf(hub, streams), peers.isAlone ? ALL_AT_ONCE : DRAIN_PACE),
      },
      handle: {
        hub,
        get metricsUrl() {
          return probes.url
        },
      },
    }
  },
})

/** All long-lived connections, as far as draining needs them. */
const connectionsOf = (hub: Hub, streams: NowPlayingStreams): Parameters<typeof drain>[0] => ({
  beginDrain: () => [...hub.beginDrain(), ...streams.beginDrain()],
  flush: () => hub.flush(),
})

/** The server of the metrics port. */
class ProbeServer implements ProcessPart {
  readonly name = 'metrics'
  readonly deadlineMs = 1000
  readonly app: App
  readonly #config: GatewayConfig
  readonly #logger: Logger
  url = ''

  constructor(
    config: GatewayConfig,
    { logger, metrics, tls }: Pick<ProcessBase, 'logger' | 'metrics' | 'tls'>,
  ) {
    this.#config = config
    this.#logger = logger
    this.app = buildServer({ name: 'gateway-metrics', logger, metrics, tls })
  }

  async start(): Promise<void> {
    const { host, metricsPort: port } = this.#config
    this.url = await this.app.listen({ host, port })
    this.#logger.info({ metricsUrl: this.url }, 'metrics listening')
  }

  async stop(): Promise<void> {
    await this.app.close()
  }
}

type BackgroundParts = Pick<
  GatewayParts,
  'access' | 'states' | 'counter' | 'reactions' | 'bridge' | 'feed' | 'hub' | 'peers' | 'streams'
> & { health: HealthMonitor; docs: ApiDocs }

const background = (parts: BackgroundParts): ProcessPart => {
  const { access, states, counter, reactions, bridge, feed, health, docs, hub, peers, streams } = parts
  return {
    name: 'background',
    deadlineMs: 1000,
    start: () => {
      for (const part of [
        access,
        states,
        counter,
        reactions,
        bridge,
        feed,
        health,
        docs,
        hub,
        peers,
        streams,
      ])
        part.start()
    },
    stop: async () => {
      for (const part of [streams, feed, counter, reactions, bridge, states, health, docs, access])
        part.stop()
      await peers.stop()
    },
  }
}
