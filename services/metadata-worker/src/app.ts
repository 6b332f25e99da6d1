import { HttpGuard } from '@looptide/service-kit/audit/guard'
import { describeAttempt, RefusedAttemptReporter } from '@looptide/service-kit/audit/refused-attempts'
import { addDebugRoute } from '@looptide/service-kit/debug/debug-route'
import { consumerSource } from '@looptide/service-kit/debug/event-sources'
import { EventConsumers } from '@looptide/service-kit/events/consumer'
import { connectNats } from '@looptide/service-kit/events/nats'
import type { EventPublisher } from '@looptide/service-kit/events/publish-envelope'
import {
  requireSubscribed,
  streamsCheck,
  waitForStreams,
} from '@looptide/service-kit/events/streams/streams-check'
import type { App } from '@looptide/service-kit/http/app'
import { buildServer } from '@looptide/service-kit/http/server'
import { publishedIdentity } from '@looptide/service-kit/identity/published-identity'
import { requestUser } from '@looptide/service-kit/identity/request-user'
import { addHealthRoutes, type HealthCheck, type Readiness } from '@looptide/service-kit/process/health'
import { createLogger } from '@looptide/service-kit/process/logger'
import { createMetrics, type Metrics } from '@looptide/service-kit/process/metrics'
import type { Background } from '@looptide/service-kit/process/run-service'
import { shutDown } from '@looptide/service-kit/process/shutdown'
import { StationClock } from '@looptide/service-kit/process/station-clock'
import { startTracing } from '@looptide/service-kit/tracing/tracing'
import type { Redis } from 'ioredis'
import { Counter } from 'prom-client'
import type { MetadataConfig } from './config.ts'
import { onMetadataRequested } from './consumers/on-metadata-requested.ts'
import { onProbeRequested } from './consumers/on-probe-requested.ts'
import { debugSources } from './debug-sources.ts'
import { deadLetterRoutes } from './features/jobs/routes/dead-letters.ts'
import { listJobs } from './features/jobs/routes/list-jobs.ts'
import { readStatus } from './features/jobs/routes/read-status.ts'
import { retryAllJobs } from './features/jobs/routes/retry-all-jobs.ts'
import { retryJob } from './features/jobs/routes/retry-job.ts'
import { readPlaylist } from './features/playlists/routes/read-playlist.ts'
import { RedisInbox } from './inbox/redis-inbox.ts'
import { ProbeQueue } from './media/probe-queue.ts'
import { LookupQueue } from './queue/lookup-queue.ts'
import { LookupWorker } from './queue/lookup-worker.ts'
import { lossDetector } from './queue/loss-detector.ts'
import { OutcomeStream } from './queue/outcome-stream.ts'
import { QuotaLedger } from './queue/quota-ledger.ts'
import { connectRedis } from './redis.ts'
import { playlistClient } from './youtube/playlist-client.ts'
import { youtubeClient } from './youtube/youtube-client.ts'

export interface RunningWorker {
  app: App
  /** `http://host:port` */
  url: string
  close(): Promise<void>
}

const NAME = 'metadata-worker'

/**
 * Starts the metadata worker, which needs Redis and NATS but no database. `nowOverride` replaces the station clock in
 * tests; it returns epoch ms.
 */
export async function startMetadataWorker(
  config: MetadataConfig,
  nowOverride?: () => number,
): Promise<RunningWorker> {
  const clock = new StationClock()
  const now = nowOverride ?? clock.now
  const stopTracing = await startTracing(NAME, config.tracing)
  const logger = createLogger(NAME, config.logLevel)
  const metrics = createMetrics(NAME)
  const readiness: Readiness = { ready: false }
  const retrying = connectRedis(config.redisUrl, logger, 'retrying')
  const failFast = connectRedis(config.redisUrl, logger, 'failFast')
  const nats = await connectNats(config.natsUrl, NAME, logger)

  const { lookup, youtube } = config
  const ledger = quotaLedger(config, retrying, now)
  const client = youtubeClient(youtube, ledger)
  const queue = new LookupQueue(retrying, lookup)
  const failFastQueue = new LookupQueue(failFast, lookup)
  const lookups = lookupCounter(metrics)
  const { eventKeys: keys } = config
  const publisher: EventPublisher = { nats, keys }
  const { lockMs } = lookup
  const deps = { redis: retrying, queue, ledger, client, nats, keys, logger, lookups, lockMs, now }
  const worker = new LookupWorker(deps)
  const probes = new ProbeQueue({ failFast, retrying, nats, keys, logger, config })
  const detector = lossDetector(failFast, publisher, logger)
  const outcomes = new OutcomeStream(publisher, logger)

  const inbox = new RedisInbox(failFast)
  const handlers = {
    'catalogue.metadata.requested.v1': onMetadataRequested(failFastQueue, nats),
    'catalogue.probe.requested.v1': onProbeRequested(probes),
  }
  const types = Object.keys(handlers) as (keyof typeof handlers)[]
  requireSubscribed(NAME, types, keys)
  const consumers = new EventConsumers<null>({ service: NAME, nats, inbox, handlers, logger, metrics, keys })
  const streams = streamsCheck(nats, NAME, types)
  const identity = publishedIdentity(config, nats, logger, clock.now, metrics)
  const guard = new HttpGuard(config.adminAuditUrl, config.internalToken)

  const refusals = new RefusedAttemptReporter({ ...config, logger, metrics })
  const app = buildServer({
    name: NAME,
    logger,
    metrics,
    onForbidden: (request) => refusals.report(describeAttempt(request)),
  })
  const redisCheck: HealthCheck = { name: 'redis', check: async () => void (await failFast.ping()) }
  addHealthRoutes(app, {
    readiness,
    checks: [redisCheck, { name: 'nats', check: async () => nats.flush() }, streams, identity.check],
    metricsText: () => consumers.metricsText(),
  })
  addDebugRoute(app, {
    name: NAME,
    config,
    sources: [consumerSource(metrics, consumers), ...debugSources(failFastQueue, inbox)],
  })
  await app.register(requestUser, identity)
  const failFastLedger = new QuotaLedger(failFast, { limit: ledger.limit, callsPerSecond: 1, now })
  await app.register(listJobs, { queue: failFastQueue })
  await app.register(retryJob, { queue: failFastQueue, publisher })
  await app.register(retryAllJobs, { queue: failFastQueue, publisher })
  await app.register(readStatus, { queue: failFastQueue, ledger: failFastLedger, mode: client.mode })
  await app.register(deadLetterRoutes, {
    inbox,
    guard,
    publisher,
    replay: (event) => consumers.replay(event),
  })
  await app.register(readPlaylist, { playlists: playlistClient(youtube, ledger) })

  identity.start()
  consumers.start()
  worker.start()
  detector.start()
  outcomes.start()
  probes.start()
  const url = await app.listen({ host: config.host, port: config.port })
  // Meanwhile `/readyz` responds and names the missing streams.
  await waitForStreams(streams, new AbortController().signal, logger)
  readiness.ready = true
  const phases = [
    {
      name: 'http',
      deadlineMs: 5000,
      run: () => {
        readiness.ready = false
        return app.close()
      },
    },
    { name: 'refused attempts', deadlineMs: 3000, run: () => refusals.close() },
    { name: 'consumers', deadlineMs: 5000, run: () => consumers.stop() },
    { name: 'look-ups', deadlineMs: 5000, run: () => stopAll([worker, detector, outcomes, probes]) },
    { name: 'identity', deadlineMs: 1000, run: () => identity.stop() },
    { name: 'nats', deadlineMs: 3000, run: () => nats.close() },
    {
      name: 'queues',
      deadlineMs: 1000,
      run: async () => void (await Promise.all([queue.close(), failFastQueue.close()])),
    },
    {
      name: 'redis',
      deadlineMs: 1000,
      run: () => {
        retrying.disconnect()
        failFast.disconnect()
      },
    },
    { name: 'traces', deadlineMs: 2000, run: stopTracing },
  ]
  return { app, url, close: () => shutDown(phases, logger) }
}

const stopAll = async (tasks: readonly Background[]): Promise<void> => {
  await Promise.all(tasks.map((task) => task.stop()))
}

const quotaLedger = ({ youtube, rateLimitFactor }: MetadataConfig, redis: Redis, now: () => number) =>
  new QuotaLedger(redis, {
    limit: youtube.apiKey === null ? null : youtube.dailyQuota,
    callsPerSecond: Math.max(1, youtube.callsPerSecond * rateLimitFactor),
    now,
  })

const lookupCounter = (metrics: Metrics): Counter<'outcome'> =>
  new Counter({
    name: 'looptide_metadata_lookups_total',
    help: 'YouTube look-ups, by outcome.',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  })
