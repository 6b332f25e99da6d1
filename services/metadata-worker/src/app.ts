import type { EventPublisher } from '@looptide/service-kit/events/publish-envelope'
import { publishedIdentity } from '@looptide/service-kit/identity/published-identity'
import type { Metrics } from '@looptide/service-kit/process/metrics'
import type { RouteScopes } from '@looptide/service-kit/process/route-scopes'
import {
  type ServiceBase,
  type ServiceHandle,
  type ServicePlan,
  serviceProcess,
} from '@looptide/service-kit/process/service-process'
import type { ProcessDefinition, ProcessPart } from '@looptide/service-kit/process/start-process'
import type { Redis } from 'ioredis'
import { Counter } from 'prom-client'
import { AuditRecorder } from './audit/audit-recorder.ts'
import type { MetadataConfig } from './config.ts'
import { onMetadataRequested } from './consumers/on-metadata-requested.ts'
import { onPlaylistRequested } from './consumers/on-playlist-requested.ts'
import { onProbeRequested } from './consumers/on-probe-requested.ts'
import { debugSources } from './debug-sources.ts'
import { deadLetterRoutes, type ReplayDeps, replayDeadLetter } from './features/jobs/routes/dead-letters.ts'
import { listJobs } from './features/jobs/routes/list-jobs.ts'
import { readStatus } from './features/jobs/routes/read-status.ts'
import { retryAllJobs } from './features/jobs/routes/retry-all-jobs.ts'
import { retryJob } from './features/jobs/routes/retry-job.ts'
import { previewList } from './features/playlists/routes/preview-list.ts'
import { readPlaylist } from './features/playlists/routes/read-playlist.ts'
import { ListQueue } from './followed-lists/list-queue.ts'
import { RedisInbox } from './inbox/redis-inbox.ts'
import { ProbeQueue } from './media/probe-queue.ts'
import { LookupQueue } from './queue/lookup-queue.ts'
import { LookupWorker } from './queue/lookup-worker.ts'
import { lossDetector } from './queue/loss-detector.ts'
import { OutcomeStream } from './queue/outcome-stream.ts'
import { QuotaLedger } from './queue/quota-ledger.ts'
import { connectRedis } from './redis.ts'
import type { YoutubeClient } from './youtube/outcome.ts'
import { type PlaylistClient, playlistClient } from './youtube/playlist-client.ts'
import { youtubeClient } from './youtube/youtube-client.ts'

/**
 * The metadata worker, which needs Redis and NATS but no database. `nowOverride` replaces the station clock in tests; it
 * returns epoch ms.
 */
export const metadataWorker = (
  config: MetadataConfig,
  nowOverride?: () => number,
): ProcessDefinition<ServiceHandle> =>
  serviceProcess<null>({
    name: 'metadata-worker',
    config,
    build: (base) => buildWorker(config, base, nowOverride ?? base.now),
  })

function buildWorker(config: MetadataConfig, base: ServiceBase, now: () => number): ServicePlan<null> {
  const { nats, keys, logger, metrics } = base
  const retrying = connectRedis(config.redisUrl, logger, 'retrying')
  const failFast = connectRedis(config.redisUrl, logger, 'failFast')
  const ledger = quotaLedger(config, retrying, now)
  const client = youtubeClient(config.youtube, ledger)
  const { lookup } = config
  const queue = new LookupQueue(retrying, lookup)
  const failFastQueue = new LookupQueue(failFast, lookup)
  const publisher: EventPublisher = { nats, keys }
  const lookups = lookupCounter(metrics)
  const common = { nats, keys, logger, now }
  const deps = { ...common, redis: retrying, queue, ledger, client, lookups, lockMs: lookup.lockMs }
  const probes = new ProbeQueue({ failFast, retrying, nats, keys, logger, config })
  const playlists = playlistClient(config.youtube, ledger)
  const lists = new ListQueue({ ...common, failFast, retrying, client: playlists, ledger, lookup })
  const inbox = new RedisInbox(failFast)
  const audit = new AuditRecorder({ redis: failFast, publisher, logger })
  return {
    identity: publishedIdentity(config, nats, logger, base.now, metrics),
    inbox,
    handlers: {
      'catalogue.metadata.requested.v1': onMetadataRequested(failFastQueue, nats),
      'catalogue.probe.requested.v1': onProbeRequested(probes),
      'catalogue.playlist.requested.v1': onPlaylistRequested(lists),
    },
    routes: () => [],
    scopes: (consumers) =>
      routes({
        guard: base.guard,
        inbox,
        audit,
        queue: failFastQueue,
        ledger: new QuotaLedger(failFast, { limit: ledger.limit, callsPerSecond: 1, now }),
        mode: client.mode,
        playlists,
        replay: (event) => consumers.replay(event),
      }),
    checks: [{ name: 'redis', check: async () => void (await failFast.ping()) }],
    stores: redisParts({ connections: [retrying, failFast], queues: [queue, failFastQueue] }),
    debug: debugSources(failFastQueue, inbox),
    background: [
      new LookupWorker(deps),
      lossDetector(failFast, publisher, logger),
      new OutcomeStream(publisher, logger),
      audit,
      probes,
      lists,
    ],
  }
}

interface RouteDeps extends ReplayDeps {
  queue: LookupQueue
  ledger: QuotaLedger
  mode: YoutubeClient['mode']
  playlists: PlaylistClient | null
}

const routes = (deps: RouteDeps): RouteScopes => ({
  'videos:edit': async (app) => {
    await app.register(listJobs, deps)
    await app.register(retryJob, deps)
    await app.register(retryAllJobs, deps)
    await app.register(readStatus, deps)
    await app.register(readPlaylist, deps)
    await app.register(previewList, deps)
  },
  'system:operate': async (app) => {
    await app.register(deadLetterRoutes, deps)
    await app.register(replayDeadLetter, deps)
  },
})

/** The Redis connections, and the queues that use them until they are closed. */
const redisParts = (redis: {
  connections: readonly Redis[]
  queues: readonly LookupQueue[]
}): ProcessPart[] => [
  {
    name: 'redis',
    deadlineMs: 1000,
    stop: () => {
      for (const connection of redis.connections) connection.disconnect()
    },
  },
  {
    name: 'queues',
    deadlineMs: 1000,
    stop: async () => void (await Promise.all(redis.queues.map((queue) => queue.close()))),
  },
]

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
