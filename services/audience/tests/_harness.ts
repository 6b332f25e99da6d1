import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Role } from '@looptide/contracts/common'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { PublishedVideo } from '@looptide/contracts/events/catalogue'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import type { ChatCountBody } from '@looptide/contracts/http/chat'
import type { Announced } from '@looptide/contracts/http/guide'
import type { RequestCheck } from '@looptide/contracts/http/requests'
import { createDb } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { connectNats } from '@looptide/service-kit/events/nats'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { clientOf, type TestClient } from '@looptide/testkit/client'
import { eventKeyEnv, storeEvent } from '@looptide/testkit/event-keys'
import { startIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase, type ServiceTables } from '@looptide/testkit/postgres'
import { withoutTasks } from '@looptide/testkit/without-tasks'
import type { Kysely } from 'kysely'
import { audienceService } from '../src/app.ts'
import { type AudienceConfig, loadConfig } from '../src/config.ts'
import type { Database } from '../src/db/schema.ts'

const DAY_MS = 86_400_000
const logger = createLogger('test', 'silent')
const tables: ServiceTables = {
  owner: 'audience',
  migrations: fileURLToPath(new URL('../src/db/migrations', import.meta.url)),
}

/** A person with a client of the service. */
export interface Viewer {
  user: TestUser
  client: TestClient
}

/** An audience service with its own database, NATS server, identity provider, and stubs of the scheduler and the catalogue. */
export interface AudienceHarness {
  db: Kysely<Database>
  config: AudienceConfig
  /** Environment of a replica in a process of its own. */
  env: Record<string, string>
  nats: NatsConnection
  service: RunningService
  url: string
  /** The time of the service, in epoch ms. */
  clock: { nowMs: number }
  /** The scheduler's answer for a video. */
  check: (channelId: string, videoId: string) => RequestCheck | null
  /** What the guide of a channel announces. */
  announced: (channelId: string) => Announced | null
  /** The scheduler's air log. */
  airLog: AirLogEntry[]
  /** The chat's number of messages in a range of time. Null: the chat refuses. */
  messagesOf: ((range: ChatCountBody['ranges'][number]) => number) | null
  /** Whether the catalogue shows a video to everyone. */
  isPublic: (videoId: string) => boolean
  /** A user whose account was created `ageMs` ago. Null: auth has published nothing of them. */
  join(options?: { role?: Role; ageMs?: number | null }): Promise<Viewer>
  publish<T extends EventType>(type: T, aggregateId: string, data: EventData<T>, atMs?: number): Promise<void>
  stop(): Promise<void>
}

/** A check of a video that nothing forbids. */
export const allowed = (videoId: string): RequestCheck => ({
  isActive: true,
  isOpen: true,
  video: { id: videoId, title: 'Title', artistName: 'Artist', thumbnailUrl: null, durationMs: 200_000 },
  forbidden: null,
})

/** Another service, which answers with JSON, or that there is none. */
async function startStub(answer: (url: URL, body: string) => object | null) {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const found = answer(new URL(request.url ?? '', 'http://stub'), await text(request))
    response.writeHead(found === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { code: 'not_found', message: 'This was not found.' }))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

interface Neighbours extends Pick<AudienceHarness, 'check' | 'announced' | 'isPublic'> {
  airLogPage: (query: URLSearchParams) => object
  countMessages: (body: ChatCountBody) => object | null
}

/** What the service needs, and its settings. */
async function startStores({ check, announced, isPublic, airLogPage, countMessages }: Neighbours) {
  const [database, nats, identity, scheduler, catalogue, chat] = await Promise.all([
    freshDatabase(undefined, tables),
    startNats(),
    startIdentity(),
    startStub(({ pathname, searchParams }) => {
      const [, , , channelId = '', question] = pathname.split('/')
      if (question === 'announced') return announced(channelId)
      if (question === 'air-log') return airLogPage(searchParams)
      return check(channelId, searchParams.get('videoId') ?? '')
    }),
    startStub(({ pathname }) => (isPublic(pathname.split('/')[3] ?? '') ? {} : null)),
    startStub((_url, body) => countMessages(JSON.parse(body) as ChatCountBody)),
  ])
  const env = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlFor('audience'),
    NATS_URL: nats.url,
    AUTH_URL: identity.authUrl,
    SCHEDULER_URL: scheduler.url,
    CATALOGUE_URL: catalogue.url,
    CHAT_URL: chat.url,
    INTERNAL_TOKEN: identity.internalToken,
    VAPID_PRIVATE_KEY: randomBytes(32).toString('base64url'),
    // The push service of tests.
    PUSH_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...eventKeyEnv('audience'),
  }
  const stop = () =>
    Promise.all([
      ...[database.drop(), nats.stop(), identity.stop()],
      ...[scheduler.stop(), catalogue.stop(), chat.stop()],
    ])
  return { env, identity, stop }
}

/** The other services, which answer what the test has set last. */
const neighboursOf = (harness: () => AudienceHarness): Neighbours => ({
  check: (channelId, videoId) => harness().check(channelId, videoId),
  announced: (channelId) => harness().announced(channelId),
  isPublic: (videoId) => harness().isPublic(videoId),
  airLogPage: (query) => ({
    items: harness()
      .airLog.filter(({ startedAtMs }) => startedAtMs < Number(query.get('beforeMs')))
      .slice(-1),
    nextCursor: null,
  }),
  countMessages: ({ ranges }) => {
    const { messagesOf } = harness()
    return messagesOf === null ? null : { counts: ranges.map(messagesOf) }
  },
})

export async function startAudienceHarness(): Promise<AudienceHarness> {
  const clock = { nowMs: Date.now() }
  const stores = await startStores(neighboursOf(() => harness))
  const { env, identity } = stores
  const config = loadConfig(env)
  const db = createDb<Database>(config.databaseUrl, logger, 5, { statementMs: null })
  const nats = await connectNats(config.natsUrl, 'test', logger)
  // Staff exist before the service reads the access list.
  const staff = new Map<Role, TestUser>()
  for (const role of ['programmer', 'moderator'] as const) staff.set(role, await identity.createUser(role))
  const service = await startProcess(withoutTasks(audienceService(config, () => clock.nowMs)))
  let version = 0
  const publish: AudienceHarness['publish'] = async (type, aggregateId, data, atMs = clock.nowMs) => {
    version += 1
    const origin = { actorId: null, correlationId: null, aggregateId, aggregateVersion: version }
    const occurredAt = new Date(atMs).toISOString()
    await storeEvent(nats, { id: newId(), type, occurredAt, ...origin, data } as Envelope)
    await service.processAll()
  }
  const harness: AudienceHarness = {
    ...{ db, config, env, nats, service, url: service.url, clock, publish },
    check: (_channelId, videoId) => allowed(videoId),
    announced: () => null,
    isPublic: () => true,
    airLog: [],
    messagesOf: () => 0,
    join: async ({ role = 'user', ageMs = 30 * DAY_MS } = {}) => {
      const user = staff.get(role) ?? (await identity.createUser())
      const profile = {
        userId: user.id,
        handle: `h${user.id.slice(0, 8)}`,
        artistName: null,
        avatarUrl: null,
      }
      if (ageMs !== null) {
        const data = { userId: user.id, profile }
        await publish('auth.user.registered.v1', user.id, data, clock.nowMs - ageMs)
      }
      return { user, client: clientOf(service.url, user.token) }
    },
    stop: async () => {
      await service.close()
      await nats.close()
      await db.destroy()
      await stores.stop()
    },
  }
  return harness
}

/** The members of an error's body that tests look at. */
export interface Refusal {
  code: string
  rule?: string
  until?: string | null
  missingMs?: number
}

/** Status and error code of an answer, with what the code adds. */
export async function refusalOf(response: Response): Promise<Refusal & { status: number }> {
  const { code, rule, until, missingMs } = (await response.json()) as Refusal
  const added = Object.entries({ rule, until, missingMs }).filter(([, value]) => value !== undefined)
  return { status: response.status, code, ...Object.fromEntries(added) }
}

/** Lets a millisecond pass: what two of them create has an order. */
export function tick({ clock }: AudienceHarness): void {
  clock.nowMs += 1
}

/** Requests a new video and returns the request. */
export const request = (viewer: Viewer, id: string, videoId: string = randomUUID()) =>
  viewer.client.call('POST /api/channels/:id/requests', { params: { id }, body: { videoId } })

/** A public video, as the catalogue publishes it. */
export const videoOf = (id: string, fields: Partial<PublishedVideo> = {}): PublishedVideo => ({
  ...{ id, title: 'New title', artistName: 'New artist', description: null, genre: null, category: null },
  ...{ duration: '5:00', durationMs: 300_000, durationAssumed: false, thumbnailUrl: null },
  ...{ videoUrl: '/a.mp4', youtubeId: null, isPublic: true, metadataStatus: 'resolved' as const },
  ...{ unavailableReason: null, viewCount: 0, createdAt: '2026-01-01T00:00:00.000Z' },
  ...fields,
})
