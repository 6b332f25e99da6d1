import { fileURLToPath } from 'node:url'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { NowState } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { createDb, migrate } from '@looptide/service-kit/db'
import { newId } from '@looptide/service-kit/ids'
import { createLogger } from '@looptide/service-kit/logger'
import { connectNats } from '@looptide/service-kit/nats'
import { type RunningService, startService } from '@looptide/service-kit/run-service'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import type { Kysely } from 'kysely'
import { type StreamScheduler, streamScheduler } from '../src/app.ts'
import { type SchedulerConfig, withShortTransactions } from '../src/config.ts'
import type { Database } from '../src/db/schema.ts'
import { type CatalogueStub, startCatalogueStub } from './_catalogue.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
const MIGRATIONS = fileURLToPath(new URL('../src/db/migrations/', import.meta.url))

/** A clock that stands still until it is moved. Begins at the machine's time. */
export class TestClock {
  nowMs = Date.now()
  readonly now = (): number => this.nowMs
  advance(ms: number): void {
    this.nowMs += ms
  }
}

/** A database of the scheduler's, migrated, with a connection for looking into it. */
export async function schedulerDatabase(): Promise<{
  url: string
  db: Kysely<Database>
  drop(): Promise<void>
}> {
  const database = await freshDatabase()
  const url = database.urlFor('scheduler')
  const db = createDb<Database>(url, createLogger('test', 'silent'), 4, null)
  await migrate(db, MIGRATIONS)
  return {
    url,
    db,
    drop: async () => {
      await db.destroy()
      await database.drop()
    },
  }
}

/** One replica of the service under test. */
export interface Replica extends RunningService {
  workNow: StreamScheduler['workNow']
}

/** What all replicas of one station share. */
export class TestScheduler {
  readonly clock = new TestClock()
  readonly replicas: Replica[] = []
  db!: Kysely<Database>
  admin!: TestUser
  user!: TestUser
  identity!: TestIdentity
  catalogue!: CatalogueStub
  config!: SchedulerConfig
  #version = 0
  #publisher!: Awaited<ReturnType<typeof connectNats>>
  readonly #undo: (() => Promise<unknown>)[] = []

  static async start(options: { replicas?: number; config?: Partial<SchedulerConfig> } = {}) {
    const station = new TestScheduler()
    const [nats, database, identity, catalogue] = await Promise.all([
      startNats(),
      schedulerDatabase(),
      startIdentity(),
      startCatalogueStub(),
    ])
    station.#undo.push(nats.stop, database.drop, identity.stop, catalogue.stop)
    station.catalogue = catalogue
    station.db = database.db
    station.identity = identity
    station.admin = await identity.createUser('admin')
    station.user = await identity.createUser()
    station.config = {
      host: '127.0.0.1',
      port: 0,
      logLevel: 'silent',
      natsUrl: nats.url,
      authUrl: identity.authUrl,
      adminAuditUrl: 'http://127.0.0.1:1',
      internalToken: identity.internalToken,
      internalTokensAccepted: [identity.internalToken],
      siteUrl: 'http://localhost:8080',
      eventKeys: testKeys('stream'),
      rateLimitFactor: 1,
      databaseUrl: withShortTransactions(database.url),
      databasePoolSize: 5,
      catalogueUrl: catalogue.url,
      airLogDays: 400,
      fallbackMaxMs: 15 * MINUTE_MS,
      ...options.config,
    }
    const replicas = options.replicas ?? 1
    for (let index = 0; index < replicas; index += 1) await station.addReplica()
    if (replicas > 0) {
      const ids = database.db.selectFrom('channels').select('id')
      await until('the default channel is there', async () => (await ids.execute()).length > 0)
    }
    station.#publisher = await connectNats(nats.url, 'test', createLogger('test', 'silent'))
    return station
  }

  async addReplica(): Promise<Replica> {
    const { service, workNow } = streamScheduler(this.config, this.clock.now)
    const replica = { ...(await startService(service)), workNow }
    this.replicas.push(replica)
    return replica
  }

  get first(): Replica {
    return this.replicas[0]!
  }

  async stop(): Promise<void> {
    for (const replica of this.replicas) await replica.close()
    await this.#publisher.close()
    for (const undo of this.#undo) await undo()
  }

  /** Says what the catalogue would say, and lets the service hear it and act. */
  async publish<T extends EventType>(...events: [type: T, aggregateId: string, data: EventData<T>][]) {
    for (const [type, aggregateId, data] of events) {
      this.#version += 1
      await storeEvent(this.#publisher, {
        id: newId(),
        type,
        occurredAt: new Date().toISOString(),
        actorId: null,
        correlationId: null,
        aggregateId,
        aggregateVersion: this.#version,
        data,
      })
    }
    await this.settle()
  }

  /** Hears what the service publishes. */
  async listen<T extends EventType>(type: T, take: (event: Envelope<T>) => void): Promise<void> {
    const callback = (_error: unknown, message: { string(): string }) => take(JSON.parse(message.string()))
    this.#publisher.subscribe(type, { callback })
    await this.#publisher.flush()
  }

  async addVideos(videos: readonly Video[]): Promise<void> {
    await this.publish(
      ...videos.map((video): ['catalogue.video.added.v1', string, { video: Video }] => [
        'catalogue.video.added.v1',
        video.id,
        { video },
      ]),
    )
  }

  /** All events heard, all due work done. */
  async settle(): Promise<void> {
    await this.first.processAll()
    for (const replica of this.replicas) await replica.workNow()
    await this.first.processAll()
  }

  /** Moves the clock in steps of a programme or so, doing at each what is due. */
  async advance(ms: number, stepMs = ms): Promise<void> {
    for (let moved = 0; moved < ms; moved += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - moved))
      for (const replica of this.replicas) await replica.workNow()
    }
  }

  async request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    body?: object,
    person: { headers: Record<string, string> } | null = this.admin,
    replica: Replica = this.first,
  ) {
    const response = await fetch(`${replica.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(person === null ? {} : person.headers),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }

  async now(channelId: string, replica: Replica = this.first): Promise<NowState> {
    return (await this.request('GET', `/api/channels/${channelId}/now`, undefined, null, replica)).body
  }

  /** As {@link request}, where anything but success is a fault of the test. */
  async must(...call: Parameters<TestScheduler['request']>) {
    const { status, body } = await this.request(...call)
    if (status >= 300) throw new Error(`${call[0]} ${call[1]} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** A channel with a playlist of these videos, on the air. */
  async channelPlaying(name: string, videos: readonly Video[]): Promise<string> {
    await this.addVideos(videos)
    const { id } = await this.must('POST', '/api/channels', { name })
    await this.must('POST', `/api/channels/${id}/playlist`, { videoIds: videos.map((v) => v.id) })
    await this.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
    await this.first.workNow()
    return id
  }
}

let made = 0
/** A playable video as the catalogue tells of it. */
export function video(facts: Partial<Video> = {}): Video {
  made += 1
  return {
    id: newId(),
    title: `Song ${made}`,
    artistName: `Artist ${made}`,
    description: null,
    genre: 'Music',
    category: null,
    duration: '3:00',
    durationMs: 3 * MINUTE_MS,
    durationAssumed: false,
    thumbnailUrl: null,
    videoUrl: `/test-card/${made}.mp4`,
    youtubeId: null,
    isPublic: true,
    metadataStatus: 'resolved',
    unavailableReason: null,
    viewCount: 0,
    createdAt: new Date(1_700_000_000_000 + made * 1000).toISOString(),
    ...facts,
  }
}
