import type { Envelope } from '@looptide/contracts/events'
import { type DeadLetterOperations, deadLetterOperations } from '@looptide/contracts/operations/dead-letters'
import { type Kysely, sql, type Transaction } from 'kysely'
import { DatabaseClockSync } from '../db/database-clock-sync.ts'
import { createDb } from '../db/db.ts'
import type { EventTables } from '../db/event-tables.ts'
import type { AnyTables } from '../db/tables.ts'
import type { DebugSource } from '../debug/debug-report.ts'
import { eventTableSources } from '../debug/event-sources.ts'
import { requireDeletion } from '../events/account-deletion.ts'
import type { EventConsumers } from '../events/consumer.ts'
import { PgInbox } from '../events/inbox.ts'
import { measureOutbox, outboxCheck } from '../events/relay/outbox-health.ts'
import { OutboxRelay } from '../events/relay/outbox-relay.ts'
import type { EventHandlers } from '../events/stream-consumer.ts'
import type { HealthCheck } from '../http/health.ts'
import type { AccessList } from '../identity/access-list.ts'
import { publishedIdentity } from '../identity/published-identity.ts'
import type { TokenVerifier } from '../identity/tokens.ts'
import type { Guard } from '../limits/guard.ts'
import type { OwnProtocol } from '../routes/bind-routes.ts'
import { deadLetterRoutes } from '../routes/dead-letters.ts'
import type { Route } from '../routes/route.ts'
import type { CommonConfig, DatabaseConfig } from '../settings/env.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Background } from './background.ts'
import {
  partOf,
  type ServiceBase,
  type ServiceHandle,
  type ServiceIdentity,
  type ServicePlan,
  type ServiceProcessOptions,
  serviceProcess,
} from './service-process.ts'
import type { ProcessDefinition } from './start-process.ts'

/** Dependencies of a service with a database. */
export interface ServiceDeps<D extends EventTables> extends ServiceBase {
  db: Kysely<D>
  verifier: TokenVerifier
  access: AccessList
}

/** The parts of a service with a database, created from its dependencies. */
export interface ServiceParts<D extends EventTables> {
  routes: readonly Route[]
  ownProtocol?: OwnProtocol
  handlers?: EventHandlers<Transaction<D>>
  afterApply?: (envelope: Envelope) => void
  background?: readonly Background[]
  /** Work that the clock alone starts, such as retention. */
  tasks?: readonly Background[]
  checks?: readonly HealthCheck[]
  /** State that `/debug` shows in development, in addition to outbox, consumers, dead letters and settings. */
  debug?: readonly DebugSource[]
}

export interface DatabaseServiceOptions<D extends EventTables>
  extends Omit<ServiceProcessOptions<never>, 'build' | 'config'> {
  config: CommonConfig & DatabaseConfig
  /** What `src/db/tables.ts` says of them. */
  tables: AnyTables
  build(deps: ServiceDeps<D>): ServiceParts<D> | Promise<ServiceParts<D>>
  /** Default: the public keys and access list that auth publishes. Auth itself uses its own keys. */
  identity?: (deps: ServiceBase & { db: Kysely<D> }) => ServiceIdentity
}

/** The process of a service with a database: it keeps events in an outbox and applies each event in a transaction. */
export const databaseService = <D extends EventTables>(
  options: DatabaseServiceOptions<D>,
): ProcessDefinition<ServiceHandle> =>
  serviceProcess<Transaction<D>>({
    ...options,
    build: async (base): Promise<ServicePlan<Transaction<D>>> => {
      const { name, config } = options
      const { nats, keys, guard, logger, metrics, clock, now } = base
      const db = createDb<D>(config.databaseUrl, logger, config.databasePoolSize)
      const eventTables = db as unknown as Kysely<EventTables>
      const identity =
        options.identity?.({ ...base, db }) ?? publishedIdentity(config, nats, logger, now, metrics)
      const { verifier, access } = identity
      const parts = await options.build({ ...base, db, verifier, access })
      requireDeletion(name, options.tables, parts.handlers ?? {})
      const clockSync = new DatabaseClockSync({ db: db as unknown as Kysely<unknown>, clock, logger })
      const { databaseUrl } = config
      const relay = new OutboxRelay({ nats, keys, logger, metrics, databaseUrl, db: eventTables })
      measureOutbox(metrics, eventTables)
      const inbox = new PgInbox(db)
      const letters = deadLetterOperations(name)
      return {
        identity,
        inbox,
        handlers: parts.handlers ?? {},
        afterApply: parts.afterApply,
        operations: Object.values(letters),
        routes: (consumers) => [
          ...parts.routes,
          ...deadLetters({ name, letters, db, inbox, consumers, guard, metrics }),
        ],
        ownProtocol: parts.ownProtocol,
        checks: [
          { name: 'postgres', check: async () => void (await sql`select 1`.execute(db)) },
          outboxCheck(eventTables),
          ...(parts.checks ?? []),
        ],
        stores: [{ name: 'postgres', deadlineMs: 3000, stop: () => db.destroy() }],
        base: [partOf('outbox', 3000, relay), partOf('clock', 1000, clockSync)],
        background: parts.background ?? [],
        tasks: parts.tasks ?? [],
        debug: [...(parts.debug ?? []), ...eventTableSources(eventTables)],
        publishAll: () => relay.processAll(),
      }
    },
  })

interface DeadLetterDeps<D extends EventTables> {
  name: string
  letters: DeadLetterOperations
  db: Kysely<D>
  inbox: PgInbox<D>
  consumers: EventConsumers<Transaction<D>>
  guard: Guard
  metrics: Metrics
}

/** The dead-letter routes. A replayed event's effect and its audit entry are one transaction. */
const deadLetters = <D extends EventTables>({
  name,
  letters,
  db,
  inbox,
  consumers,
  guard,
  metrics,
}: DeadLetterDeps<D>) =>
  deadLetterRoutes({
    service: name,
    operations: letters,
    db: db as unknown as Kysely<EventTables>,
    guard,
    metrics,
    replay: (letterId, event, note) =>
      consumers.replay(event, (effect) =>
        inbox.applyDeadLetter(letterId, async (trx) => {
          await effect(trx)
          await note(trx as unknown as Transaction<EventTables>)
        }),
      ),
  })
