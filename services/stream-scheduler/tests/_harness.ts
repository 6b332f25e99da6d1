import { fileURLToPath } from 'node:url'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { NowState } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { createDb } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { connectNats } from '@looptide/service-kit/events/nats'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import { withoutTasks } from '@looptide/testkit/without-tasks'
import type { Kysely } from 'kysely'
import { type StreamScheduler, streamScheduler } from '../src/app.ts'
import { type SchedulerConfig, withShortTransactions } from '../src/config.ts'
import type { Database } from '../src/db/schema.ts'
import { type CatalogueStub, startCatalogueStub } from './_catalogue-stub.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
const MIGRATIONS = fileURLToPath(new URL('../src/db/migrations/', import.meta.url))

/** A clock that changes only by `advance`. It starts at the machine's time. */
class TestClock {
  nowMs = Date.now()
  readonly now = (): number => this.nowMs
  advance(ms: number): void {
    this.nowMs += ms
  }
}

/** A migrated database of the scheduler, with a connection for the test. */
export async function createSchedulerDatabase(): Promise<{
  url: string
  db: Kysely<Database>
  drop(): Promise<void>
}> {
  const database = await freshDatabase(undefined, { owner: 'scheduler', migrations: MIGRATIONS })
  const url = database.urlFor('scheduler')
  const db = createDb<Database>(url, createLogger('test', 'silent'), 4, { statementMs: null })
  return {
    url,
    db,
    drop: async () => {
      await db.destroy()
      await database.drop()
    },
  }
}

/** A replica of the stream scheduler. */
export interface Replica extends RunningService {
  runOnce: StreamScheduler['runOnce']
}

/** Replicas of the stream scheduler with one database, NATS server, clock and stubs of other services. */
export class TestScheduler {
  readonly clock = new TestClock()
  readonly replicas: Replica[] = []
  db!: Kysely<Database>
  admin!: TestUser
  programmer!: TestUser
  moderator!: TestUser
  user!: TestUser
  identity!: TestIdentity
  catalogue!: CatalogueStub
  config!: SchedulerConfig
  #version = 0
  #publisher!: Awaited<ReturnType<typeof connectNats>>
  readonly #undo: (() => Promise<unknown>)[] = []
  readonly #playing: string[] = []

  static async start(options: { replicas?: number; config?: Partial<SchedulerConfig> } = {}) {
    const station = new TestScheduler()
    const [nats, database, identity, catalogue] = await Promise.all([
      startNats(),
      createSchedulerDatabase(),
      startIdentity(),
      startCatalogueStub(),
    ])
    station.#undo.push(nats.stop, database.drop, identity.stop, catalogue.stop)
    station.catalogue = catalogue
    station.db = database.db
    station.identity = identity
    station.admin = await identity.createUser('admin')
    station.programmer = await identity.createUser('programmer')
    station.moderator = await identity.createUser('moderator')
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
      debug: false,
      rateLimitFactor: 1,
      databaseUrl: withShortTransactions(database.url),
      databasePoolSize: 5,
      catalogueUrl: catalogue.url,
      airLogDays: 400,
      fallbackMaxMs: 15 * MINUTE_MS,
      demoChannels: 'none',
      requests: 'on',
      scheduleApproval: 'off',
      ...options.config,
    }
    const replicas = options.replicas ?? 1
    for (let index = 0; index < replicas; index += 1) await station.addReplica()
    if (replicas > 0) {
      const ids = database.db.selectFrom('channels').select('id')
      await until('the default channel exists', async () => (await ids.execute()).length > 0)
    }
    station.#publisher = await connectNats(nats.url, 'test', createLogger('test', 'silent'))
    return station
  }

  async addReplica(): Promise<Replica> {
    const { service, runOnce } = streamScheduler(this.config, this.clock.now)
    const replica = { ...(await startProcess(withoutTasks(service))), runOnce }
    this.replicas.push(replica)
    await this.identity.knownAt(replica.url)
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

  /** Publishes events and waits until the service has applied them. */
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

  /** Subscribes to the events that the service publishes. Those published before {@link settle} have arrived after it. */
  async listen<T extends EventType>(type: T, onEvent: (event: Envelope<T>) => void): Promise<void> {
    const callback = (_error: unknown, message: { string(): string }) => onEvent(JSON.parse(message.string()))
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

  /** Applies all events, runs the worker of each replica, and receives what the service has published. */
  async settle(): Promise<void> {
    await this.first.processAll()
    for (const replica of this.replicas) await replica.runOnce()
    await this.first.processAll()
    // The server delivers what it has acknowledged to the publisher before it answers.
    await this.#publisher.flush()
  }

  /** Advances the clock in steps and runs the workers after each step. */
  async advance(ms: number, stepMs = ms): Promise<void> {
    for (let moved = 0; moved < ms; moved += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - moved))
      for (const replica of this.replicas) await replica.runOnce()
    }
  }

  async request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    body?: object | null,
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

  /** Like {@link request}; throws unless the response is a success. */
  async must(...call: Parameters<TestScheduler['request']>) {
    const { status, body } = await this.request(...call)
    if (status >= 300) throw new Error(`${call[0]} ${call[1]} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Saves a schedule as the draft of a channel and publishes it. */
  async publishSchedule(channelId: string, document: ScheduleDocument): Promise<void> {
    const path = `/api/channels/${channelId}/schedule`
    await this.must('PUT', `${path}/draft`, document)
    await this.must('POST', `${path}/publish`)
  }

  /** Creates a channel with these videos, starts it and returns its id. */
  async channelPlaying(name: string, videos: readonly Video[]): Promise<string> {
    await this.addVideos(videos)
    const { id } = await this.must('POST', '/api/channels', { name })
    await this.must('POST', `/api/channels/${id}/playlist`, { videoIds: videos.map((v) => v.id) })
    await this.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
    await this.first.runOnce()
    this.#playing.push(id)
    return id
  }

  /**
   * Deletes the channels of {@link channelPlaying} that are left. Otherwise each step of time would plan those of all
   * earlier tests, too.
   */
  async deleteChannels(): Promise<void> {
    for (const id of this.#playing.splice(0)) {
      const { status } = await this.request('DELETE', `/api/channels/${id}`)
      if (status !== 204 && status !== 404) throw new Error(`deleting a channel answered ${status}`)
    }
  }
}

let videoCount = 0
/** A playable video as the catalogue publishes it. */
export function video(fields: Partial<Video> = {}): Video {
  videoCount += 1
  return {
    id: newId(),
    title: `Song ${videoCount}`,
    artistName: `Artist ${videoCount}`,
    description: null,
    genre: 'Music',
    category: null,
    duration: '3:00',
    durationMs: 3 * MINUTE_MS,
    durationAssumed: false,
    startAtMs: 0,
    endAtMs: null,
    tags: [],
    thumbnailUrl: null,
    videoUrl: `/test-card/${videoCount}.mp4`,
    youtubeId: null,
    isPublic: true,
    metadataStatus: 'resolved',
    unavailableReason: null,
    viewCount: 0,
    likeCount: 0,
    createdAt: new Date(1_700_000_000_000 + videoCount * 1000).toISOString(),
    ...fields,
  }
}
