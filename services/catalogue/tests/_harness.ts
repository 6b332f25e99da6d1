import { randomUUID } from 'node:crypto'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { createDb } from '@looptide/service-kit/db/db'
import { connect, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { Backing } from '@looptide/testkit/backing'
import { eventKeyEnv, storeEvent } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase } from '@looptide/testkit/postgres'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { withoutTasks } from '@looptide/testkit/without-tasks'
import { catalogueService, migrationFolder } from '../src/app.ts'
import { type CatalogueConfig, loadConfig } from '../src/config.ts'
import type { CatalogueDb, Database } from '../src/db/schema.ts'

/**
 * A catalogue service with its own database, NATS and accounts, for one test file. The guard is unreachable. Tests run the
 * periodic tasks themselves.
 */
export interface CatalogueHarness {
  service: RunningService
  db: CatalogueDb
  nats: NatsConnection
  identity: TestIdentity
  config: CatalogueConfig
  admin: TestUser
  moderator: TestUser
  user: TestUser
  other: TestUser
  /** All events of one type that the catalogue has published. */
  events<T extends EventType>(type: T): Promise<Envelope<T>[]>
  /** Publishes an event of another service and waits until the catalogue has processed it. */
  publishEvent<T extends EventType>(type: T, data: EventData<T>, id?: string): Promise<void>
  call(method: Method, url: string, options?: CallOptions): Promise<CallResponse>
  close(): Promise<void>
}
interface CallOptions {
  as?: TestUser
  body?: object
  headers?: Record<string, string>
}
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface CallResponse {
  status: number
  etag: string | null
  body: ReturnType<typeof JSON.parse>
}

export async function startCatalogue(env: Record<string, string> = {}): Promise<CatalogueHarness> {
  const [database, backing, identity] = await Promise.all([
    freshDatabase(undefined, { owner: 'catalogue', migrations: migrationFolder }),
    startNats(),
    startIdentity(),
  ])
  const [admin, moderator, user, other] = await Promise.all([
    identity.createUser('admin'),
    identity.createUser('moderator'),
    identity.createUser(),
    identity.createUser(),
  ])
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlFor('catalogue'),
    NATS_URL: backing.url,
    AUTH_URL: identity.authUrl,
    ADMIN_AUDIT_URL: 'http://127.0.0.1:9',
    INTERNAL_TOKEN: identity.internalToken,
    ...eventKeyEnv('catalogue'),
    ...env,
  })
  const logger = createLogger('test', 'silent')
  const db = createDb<Database>(config.databaseUrl, logger, 4, { statementMs: null })
  const service = await startProcess(withoutTasks(catalogueService(config)))
  const nats = await connect({ servers: backing.url })
  await identity.knownAt(service.url)
  return {
    service,
    db,
    nats,
    identity,
    config,
    admin,
    moderator,
    user,
    other,
    events: (type) => readEvents(service, nats, type),
    publishEvent: async (type, data, id = randomUUID()) => {
      const envelope = {
        id,
        type,
        data,
        occurredAt: new Date().toISOString(),
        actorId: null,
        correlationId: null,
        aggregateId: 'test',
        aggregateVersion: 1,
      }
      await storeEvent(nats, envelope as Envelope)
      await service.processAll()
    },
    call: (method, url, options) => call(service, method, url, options),
    close: () => closeAll(service, db, nats, backing, identity, database),
  }
}

async function call(
  service: RunningService,
  method: Method,
  url: string,
  { as, body, headers }: CallOptions = {},
): Promise<CallResponse> {
  const response = await fetch(`${service.url}${url}`, {
    method,
    headers: {
      ...as?.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const etag = response.headers.get('etag')
  return { status: response.status, etag, body: text === '' ? null : JSON.parse(text) }
}

async function readEvents<T extends EventType>(
  service: RunningService,
  nats: NatsConnection,
  type: T,
): Promise<Envelope<T>[]> {
  await service.processAll()
  return eventsOf(nats, type)
}

async function closeAll(
  service: RunningService,
  db: CatalogueDb,
  nats: NatsConnection,
  backing: Backing,
  identity: TestIdentity,
  database: { drop(): Promise<void> },
): Promise<void> {
  await service.close()
  await db.destroy()
  await nats.close()
  await backing.stop()
  await identity.stop()
  await database.drop()
}
