import { topics } from '@looptide/contracts/realtime'
import { LiveAccessList } from '@looptide/service-kit/access-list'
import { addHealthRoutes, type Readiness } from '@looptide/service-kit/health'
import { createLogger, type Logger } from '@looptide/service-kit/logger'
import { createMetrics, type Metrics } from '@looptide/service-kit/metrics'
import { connectNats } from '@looptide/service-kit/nats'
import type { NatsConnection } from '@looptide/service-kit/nats-client'
import { RefusedAttemptReporter } from '@looptide/service-kit/refused-attempts'
import { type App, buildServer } from '@looptide/service-kit/server'
import { shutDown } from '@looptide/service-kit/shutdown'
import { StationClock } from '@looptide/service-kit/station-clock'
import { issuerOf, JwksTokenVerifier } from '@looptide/service-kit/tokens'
import { startTracing } from '@looptide/service-kit/tracing'
import { buildApp } from './app.ts'
import { ChannelStates } from './channels/channel-states.ts'
import { ChatMarks } from './channels/chat-marks.ts'
import { GatewayFacts } from './channels/gateway-facts.ts'
import { ViewerCounter } from './channels/viewer-counts.ts'
import type { GatewayConfig } from './config.ts'
import { EventFeed } from './events/event-feed.ts'
import { HealthBoard } from './health/health-board.ts'
import { ApiDocs } from './http/api-docs.ts'
import { connectLimiterRedis } from './http/rate-limits.ts'
import { SharedAnswers } from './http/shared-answers.ts'
import { type ConnectionCapacity, connectionCapacity, openFilesLimit } from './limits/open-files.ts'
import { Peers } from './peers/peers.ts'
import { TopicLink } from './peers/topic-link.ts'
import { ALL_AT_ONCE, DRAIN_PACE, drain } from './realtime/drain.ts'
import { Hub } from './realtime/hub.ts'
import { fanOutOptions, hubLimits } from './realtime/hub-limits.ts'
import { createHubMetrics } from './realtime/hub-metrics.ts'
import { IdentityChecker } from './realtime/identity.ts'
import { reportRefusedTopic } from './realtime/refused-joins.ts'

/** A running gateway, for tests and for main. */
export interface RunningGateway {
  app: App
  hub: Hub
  /** `http://host:port` of the public door. */
  url: string
  /** Where `/metrics` is. */
  metricsUrl: string
  close(): Promise<void>
}

interface Parts {
  peers: Peers
  links: TopicLink
  hub: Hub
  states: ChannelStates
  counter: ViewerCounter
  feed: EventFeed
  access: LiveAccessList
  shared: SharedAnswers
  refusals: RefusedAttemptReporter
}

function buildParts(
  config: GatewayConfig,
  nats: NatsConnection,
  logger: Logger,
  metrics: Metrics,
  board: HealthBoard,
  clock: StationClock,
): Parts {
  const { now } = clock
  const access = new LiveAccessList({
    authUrl: config.authUrl,
    internalToken: config.internalToken,
    nats,
    keys: config.eventKeys,
    logger,
    metrics,
    now,
  })
  const verifier = new JwksTokenVerifier(
    `${config.authUrl}/auth/v1/.well-known/jwks.json`,
    issuerOf(config.siteUrl),
    now,
  )
  const states: ChannelStates = new ChannelStates({
    schedulerUrl: config.upstreams['stream-scheduler'],
    logger,
    now,
    onTime: (stationMs, askedAtMs) => {
      const errorMs = clock.adjust(stationMs, askedAtMs)
      if (errorMs !== 0) logger.warn({ errorMs }, 'this machine’s clock is wrong: the scheduler’s counts')
    },
    onChange: (id) => hub.publishJson(topics.stream(id), 'now', states.json(id)),
  })
  const marks: ChatMarks = new ChatMarks({
    chatUrl: config.upstreams.chat,
    logger,
    onLearnt: (id) => hub.publish(topics.chat(id), 'snapshot', { lastSeq: marks.lastSeq(id) }),
  })
  const peers = new Peers({ nats, monotonicMs: () => performance.now() })
  const links = new TopicLink(peers)
  const facts = new GatewayFacts(states, marks, () => counter)
  const refusals = new RefusedAttemptReporter({ ...config, logger, metrics })
  const hub: Hub = new Hub({
    onRefusedRole: reportRefusedTopic(refusals, access),
    identities: new IdentityChecker(verifier, access),
    channels: facts,
    isHealthy: () => board.isHealthy(),
    peers: links,
    limits: hubLimits(config.rateLimitFactor),
    fanOut: fanOutOptions(config.rateLimitFactor),
    metrics: createHubMetrics(metrics.registry),
    logger,
    now,
  })
  const counter: ViewerCounter = new ViewerCounter({
    peers,
    local: { all: () => hub.viewers(), of: (id) => hub.viewersOf(id) },
    publish: (channelId, count) => {
      hub.publish(topics.stream(channelId), 'viewers', { count })
      hub.publish(topics.admin, 'viewers', { channelId, count })
    },
    now,
  })
  hub.onViewers(() => counter.changed())
  access.onChange((change) => {
    if (change.kind === 'revoked') hub.revoke(change.sessionIds)
    else if (change.kind === 'role') hub.recheckRole(change.userId)
    else {
      verifier.revokeKey(change.kid)
      hub.revokeKey(change.kid)
    }
  })
  const shared = new SharedAnswers({ upstreams: config.upstreams, access, now })
  const feed = new EventFeed({ nats, keys: config.eventKeys, hub, states, marks, shared, logger, metrics })
  return { peers, links, hub, states, counter, access, shared, refusals, feed }
}

/** How many connections this process takes; warns when its limit of open files is too small for `MAX_SOCKETS`. */
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

/** Starts the one public door and answers when it is open. */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const stopTracing = await startTracing('gateway', config.tracing)
  const logger = createLogger('gateway', config.logLevel)
  const metrics = createMetrics('gateway')
  const readiness: Readiness = { ready: false }
  const nats = await connectNats(config.natsUrl, 'gateway', logger)
  const redis = connectLimiterRedis(config.redisUrl, logger)
  const clock = new StationClock()
  const board = new HealthBoard(config.upstreams, clock.now)
  const docs = new ApiDocs(config.upstreams)
  const { peers, links, hub, states, counter, feed, access, shared, refusals } = buildParts(
    config,
    nats,
    logger,
    metrics,
    board,
    clock,
  )

  const app = await buildApp({
    config,
    logger,
    metrics,
    readiness,
    hub,
    states,
    counter,
    board,
    docs,
    redis,
    shared,
    capacity: findCapacity(config, logger),
  })
  const inner = buildServer({ name: 'gateway-metrics', logger, metrics })
  addHealthRoutes(inner, {
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

  for (const part of [access, states, counter, links, feed, board, docs, hub, peers]) part.start()
  const metricsUrl = await inner.listen({ host: config.host, port: config.metricsPort })
  const url = await app.listen({ host: config.host, port: config.port })
  readiness.ready = true
  logger.info({ url, metricsUrl }, 'the door is open')

  const phases = [
    {
      name: 'unready',
      deadlineMs: 100,
      run: () => {
        readiness.ready = false
      },
    },
    {
      name: 'sockets',
      deadlineMs: DRAIN_PACE.longestMs + 1000,
      run: () => drain(hub, peers.isAlone ? ALL_AT_ONCE : DRAIN_PACE),
    },
    { name: 'http', deadlineMs: 10_000, run: () => app.close() },
    { name: 'refused attempts', deadlineMs: 3000, run: () => refusals.close() },
    {
      name: 'background',
      deadlineMs: 1000,
      run: async () => {
        for (const part of [feed, counter, links, states, board, docs, access]) part.stop()
        await peers.stop()
      },
    },
    { name: 'nats', deadlineMs: 3000, run: () => nats.close() },
    { name: 'shared answers', deadlineMs: 1000, run: () => shared.close() },
    { name: 'redis', deadlineMs: 1000, run: () => redis.disconnect() },
    { name: 'metrics', deadlineMs: 1000, run: () => inner.close() },
    { name: 'traces', deadlineMs: 2000, run: stopTracing },
  ]
  return { app, hub, url, metricsUrl, close: () => shutDown(phases, logger) }
}
