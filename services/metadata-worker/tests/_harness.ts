import { randomUUID } from 'node:crypto'
import {
  type Envelope,
  type EventType,
  LIVE_SUBJECTS,
  type MetadataProgress,
  streamOf,
} from '@looptide/contracts/events'
import { partsOf } from '@looptide/service-kit/events/decode-envelope'
import { connect, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import { issuerOf } from '@looptide/service-kit/identity/tokens'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import type { Backing } from '@looptide/testkit/backing'
import { eventKeyEnv, storeEvent } from '@looptide/testkit/event-keys'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { startRedis } from '@looptide/testkit/redis'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { metadataWorker } from '../src/app.ts'
import { loadConfig, type MetadataConfig } from '../src/config.ts'

/** A metadata worker with its own Redis, NATS and fake YouTube, for one test file. */
export interface WorkerHarness {
  youtube: FakeYoutube
  redis: Backing
  nats: NatsConnection
  admin: TestUser
  user: TestUser
  config: MetadataConfig
  env: Record<string, string>
  worker: RunningService
  progress: MetadataProgress[]
  /** Publishes a request as the catalogue does; returns the request's id. */
  request(youtubeIds: string[], options?: { force?: boolean; id?: string }): Promise<string>
  /** All events of one type, also those that were published as parts of a bulk event. */
  events<T extends EventType>(type: T): Promise<Envelope<T>[]>
  /** Waits until there are `count` events of a type, and returns all of them. */
  waitForEvents<T extends EventType>(type: T, count: number): Promise<Envelope<T>[]>
  get(path: string, as?: TestUser): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>
  post(path: string, as?: TestUser): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>
  close(): Promise<void>
}

/** Starts a worker with these settings. With `NATS_URL` the test provides NATS and its streams, else the harness does. */
export async function startWorkerHarness(
  env: Record<string, string> = {},
  now?: () => number,
): Promise<WorkerHarness> {
  const [youtube, redis, natsServer, identity] = await Promise.all([
    startFakeYoutube(),
    startRedis(),
    env.NATS_URL === undefined ? startNats() : undefined,
    startIdentity(undefined, env.SITE_URL && issuerOf(env.SITE_URL)),
  ])
  const [admin, user] = await Promise.all([identity.createUser('admin'), identity.createUser()])
  const natsUrl = env.NATS_URL ?? natsServer?.url ?? ''
  const all = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    NATS_URL: natsUrl,
    REDIS_URL: redis.url,
    AUTH_URL: identity.authUrl,
    ADMIN_AUDIT_URL: 'http://127.0.0.1:9',
    INTERNAL_TOKEN: identity.internalToken,
    ...eventKeyEnv('metadata-worker'),
    YOUTUBE_BASE_URL: youtube.url,
    YOUTUBE_CALLS_PER_SECOND: '1000',
    LOOKUP_BACKOFF_MS: '20',
    ...env,
  }
  const config = loadConfig(all)
  const nats = await connect({ servers: natsUrl, maxReconnectAttempts: -1, reconnectTimeWait: 50 })
  const progress: MetadataProgress[] = []
  nats.subscribe(LIVE_SUBJECTS.metadataProgress, {
    callback: (_error, message) => void progress.push(message.json()),
  })
  const worker = await startProcess(metadataWorker(config, now))
  await identity.knownAt(worker.url)
  const harness: WorkerHarness = {
    youtube,
    redis,
    nats,
    admin,
    user,
    config,
    env: all,
    worker,
    progress,
    request: (ids, options) => request(nats, ids, options),
    events: (type) => eventsAndParts(nats, type),
    waitForEvents: async (type, count) => {
      const hasAll = async () => (await eventsAndParts(nats, type)).length >= count
      await until(`there are ${count} events ${type}`, hasAll)
      return eventsAndParts(nats, type)
    },
    get: (path, as) => call(harness.worker.url, 'GET', path, as),
    post: (path, as) => call(harness.worker.url, 'POST', path, as),
    close: () =>
      closeAll(harness, [redis, identity, youtube, ...(natsServer === undefined ? [] : [natsServer])]),
  }
  return harness
}

async function eventsAndParts<T extends EventType>(nats: NatsConnection, type: T): Promise<Envelope<T>[]> {
  const stored = await contentsOf(nats, streamOf(type))
  return stored
    .flatMap((envelope) => [envelope, ...partsOf(envelope)])
    .filter((envelope): envelope is Envelope<T> => envelope.type === type)
}

async function closeAll(
  { worker, nats }: WorkerHarness,
  servers: readonly { stop(): Promise<void> }[],
): Promise<void> {
  await worker.close()
  await nats.close()
  await Promise.all(servers.map((server) => server.stop()))
}

async function request(
  nats: NatsConnection,
  youtubeIds: string[],
  { force = false, id = randomUUID() }: { force?: boolean; id?: string } = {},
): Promise<string> {
  const envelope: Envelope<'catalogue.metadata.requested.v1'> = {
    id,
    type: 'catalogue.metadata.requested.v1',
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: 'corr-1',
    aggregateId: youtubeIds[0] ?? '',
    aggregateVersion: 1,
    data: { youtubeIds, force },
  }
  await storeEvent(nats, envelope)
  return id
}

async function call(
  url: string,
  method: string,
  path: string,
  as?: TestUser,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const response = await fetch(`${url}${path}`, { method, headers: { ...as?.headers } })
  return { status: response.status, body: await response.json() }
}

/** `count` distinct YouTube ids with this prefix. */
export const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`.padEnd(11, '_').slice(0, 11))
