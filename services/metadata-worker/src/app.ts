import { deadLetterOperations } from '@looptide/contracts/operations/dead-letters'
import * as operations from '@looptide/contracts/operations/metadata'
import type { DebugSource } from '@looptide/service-kit/debug/debug-report'
import type { EventPublisher } from '@looptide/service-kit/events/publish-envelope'
import { publishedIdentity } from '@looptide/service-kit/identity/published-identity'
import {
  type ServiceBase,
  type ServiceHandle,
  type ServicePlan,
  serviceProcess,
} from '@looptide/service-kit/process/service-process'
import type { ProcessDefinition, ProcessPart } from '@looptide/service-kit/process/start-process'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import type { Redis } from 'ioredis'
import { Counter } from 'prom-client'
import { AuditRecorder } from './audit/audit-recorder.ts'
import type { MetadataConfig } from './config.ts'
import { onMetadataRequested } from './consumers/on-metadata-requested.ts'
import { onPlaylistRequested } from './consumers/on-playlist-requested.ts'
import { onProbeRequested } from './consumers/on-probe-requested.ts'
import { JobService } from './features/jobs/job-service.ts'
import { deadLetterRoutes, jobRoutes } from './features/jobs/routes.ts'
import { playlistRoutes } from './features/playlists/routes.ts'
import { ListQueue } from './followed-lists/list-queue.ts'
import { RedisInbox } from './inbox/redis-inbox.ts'
import { ProbeQueue } from './media/probe-queue.ts'
import { LookupQueue } from './queue/lookup-queue.ts'
import { LookupWorker } from './queue/lookup-worker.ts'
import { lossDetector } from './queue/loss-detector.ts'
import { OutcomeStream } from './queue/outcome-stream.ts'
import { QuotaLedger } from './queue/quota-ledger.ts'
import { connectRedis } from './redis.ts'
import { DataApiClient } from './youtube/data-api-client.ts'
import { KeylessClient } from './youtube/keyless-client.ts'
import type { YoutubeClient } from './youtube/outcome.ts'
import { playlistClient } from './youtube/playlist-client.ts'

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
    operations,
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
  const letters = deadLetterOperations('metadata-worker')
  const shownLedger = new QuotaLedger(failFast, { limit: ledger.limit, callsPerSecond: 1, now })
  return {
    identity: publishedIdentity(config, nats, logger, base.now, metrics),
    inbox,
    handlers: {
      'catalogue.metadata.requested.v1': onMetadataRequested(failFastQueue, nats),
      'catalogue.probe.requested.v1': onProbeRequested(probes),
      'catalogue.playlist.requested.v1': onPlaylistRequested(lists),
    },
    operations: Object.values(letters),
    routes: (consumers) => [
      ...jobRoutes({
        jobs: new JobService({ queue: failFastQueue, audit, ledger: shownLedger, mode: client.mode }),
      }),
      ...playlistRoutes({ playlists }),
      ...deadLetterRoutes({
        ...{ operations: letters, inbox, audit, guard: base.guard },
        replay: (event) => consumers.replay(event),
      }),
    ],
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

const MAX_LETTERS = 20

/** State that `/debug` shows in development: the look-up queue and the dead letters, which are in Redis. */
const debugSources = (queue: LookupQueue, inbox: RedisInbox): DebugSource[] => [
  { title: 'Look-ups', read: async () => [await queue.counts()] },
  {
    title: `Dead letters, newest first (at most ${MAX_LETTERS})`,
    read: async () => {
      const letters = await inbox.deadLetters(MAX_LETTERS, undefined)
      return letters
        .filter(({ replayedAt }) => replayedAt === null)
        .map(({ id, consumer, subject, error, failedAt }) => ({ id, consumer, subject, error, failedAt }))
    },
  },
]

/** Creates the client: the Data API with an API key, oEmbed and watch pages without. The ledger limits its calls. */
function youtubeClient(youtube: MetadataConfig['youtube'], ledger: QuotaLedger): YoutubeClient {
  const { apiKey: key, apiUrl, siteUrl } = youtube
  if (key === null) return new KeylessClient({ baseUrl: siteUrl, acquire: () => ledger.waitForRateLimit() })
  const acquire = async (): Promise<void> => {
    await ledger.waitForRateLimit()
    await ledger.spend()
  }
  return new DataApiClient({ baseUrl: apiUrl, key, acquire })
}
