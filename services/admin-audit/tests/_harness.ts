import { fileURLToPath } from 'node:url'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { AuditEntry, AuditPage } from '@looptide/contracts/http/admin'
import { createDb } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { connectNats } from '@looptide/service-kit/events/nats'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { eventKeyEnv, storeEvent } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase, type ServiceTables } from '@looptide/testkit/postgres'
import { withoutTasks } from '@looptide/testkit/without-tasks'
import type { Kysely } from 'kysely'
import { adminAuditService } from '../src/app.ts'
import { type AdminAuditConfig, loadConfig } from '../src/config.ts'
import type { Database } from '../src/db/schema.ts'

export const logger = createLogger('test', 'silent')

/** An admin-audit service with its own database, NATS and accounts, for one test file. */
export interface AuditHarness {
  identity: TestIdentity
  nats: NatsConnection
  /** Connection with the service's role. */
  db: Kysely<Database>
  /** Connection with the role that owns the tables and runs the migrations. */
  ownerDb: Kysely<Database>
  /** Connection URL of the database server's administrator. */
  adminUrl: string
  config: AdminAuditConfig
  /** Starts a replica. It runs its periodic tasks only with `tasks`. */
  serve(
    overrides?: Partial<AdminAuditConfig>,
    options?: { tasks?: boolean; now?: () => number },
  ): Promise<RunningService>
  /** Publishes an audit event of another service. */
  publishAudit(facts: AuditEventFacts): Promise<Envelope>
  stop(): Promise<void>
}

type AuditType = Extract<EventType, `${string}.audit.recorded.v1`>
interface AuditEventFacts {
  type?: AuditType
  actorId: string | null
  action: string
  data?: Partial<EventData<AuditType>>
  occurredAt?: string
  id?: string
}

const tables: ServiceTables = {
  owner: 'admin_audit',
  migrations: fileURLToPath(new URL('../src/db/migrations', import.meta.url)),
}

export async function startAuditHarness(): Promise<AuditHarness> {
  const [database, natsServer, identity] = await Promise.all([
    freshDatabase(undefined, tables),
    startNats(),
    startIdentity(),
  ])
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlFor('admin_audit'),
    NATS_URL: natsServer.url,
    AUTH_URL: identity.authUrl,
    INTERNAL_TOKEN: identity.internalToken,
    ...eventKeyEnv('admin-audit'),
  })
  const db = createDb<Database>(config.databaseUrl, logger, 10, { statementMs: null })
  const ownerDb = createDb<Database>(database.migrationUrlFor('admin_audit'), logger, 2, {
    statementMs: null,
  })
  const nats = await connectNats(natsServer.url, 'test', logger)
  const running: RunningService[] = []
  return {
    identity,
    nats,
    db,
    ownerDb,
    adminUrl: database.adminUrl,
    config,
    serve: async (overrides = {}, { tasks = false, now } = {}) => {
      const definition = adminAuditService({ ...config, ...overrides }, now)
      const service = await startProcess(tasks ? definition : withoutTasks(definition))
      running.push(service)
      await identity.knownAt(service.url)
      return service
    },
    publishAudit: async (facts) => {
      const envelope = auditEnvelope(facts)
      await storeEvent(nats, envelope)
      return envelope
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.close()))
      await nats.close()
      await Promise.all([db.destroy(), ownerDb.destroy()])
      await Promise.all([database.drop(), natsServer.stop(), identity.stop()])
    },
  }
}

function auditEnvelope({
  type = 'catalogue.audit.recorded.v1',
  actorId,
  action,
  data,
  occurredAt = new Date().toISOString(),
  id = newId(),
}: AuditEventFacts): Envelope {
  const noTarget = { targetType: null, targetId: null, targetUserId: null }
  return {
    ...{ id, type, occurredAt, actorId },
    ...{ correlationId: 'request-1', aggregateId: 'x', aggregateVersion: 1 },
    data: { action, ...noTarget, before: null, after: null, details: null, ...data },
  }
}

export interface ApiResponse<Body> {
  status: number
  body: Body
  headers: Headers
}

/** Sends a request with this account, or without one. */
export async function callApi<Body = Record<string, unknown>>(
  url: string,
  account: TestUser | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse<Body>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...account?.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: (text === '' ? null : JSON.parse(text)) as Body,
    headers: response.headers,
  }
}

/** Reads the audit log with this admin account. */
export async function readLog(url: string, admin: TestUser, query = ''): Promise<AuditEntry[]> {
  const { status, body } = await callApi<AuditPage>(url, admin, 'GET', `/api/audit${query}`)
  if (status !== 200) throw new Error(`status ${status}`)
  return body.items
}
