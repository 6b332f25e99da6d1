import type { Envelope, EventType } from '@looptide/contracts/events'
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Guard, HttpGuard } from '../audit/guard.ts'
import { describeAttempt, RefusedAttemptReporter } from '../audit/refused-attempts.ts'
import { DatabaseClockSync } from '../db/database-clock-sync.ts'
import { createDb } from '../db/db.ts'
import type { DebugSource } from '../debug/debug-report.ts'
import { addDebugRoute } from '../debug/debug-route.ts'
import { eventSources } from '../debug/event-sources.ts'
import { EventConsumers, type EventHandlers } from '../events/consumer.ts'
import { addDeadLetterRoutes } from '../events/dead-letters.ts'
import type { EventKeys } from '../events/event-keys.ts'
import type { EventTables } from '../events/event-tables.ts'
import { PgInbox } from '../events/inbox.ts'
import { connectNats } from '../events/nats.ts'
import type { NatsConnection } from '../events/nats-client.ts'
import { measureOutbox, outboxCheck } from '../events/relay/outbox-health.ts'
import { OutboxRelay } from '../events/relay/outbox-relay.ts'
import { requireSubscribed, streamsCheck, waitForStreams } from '../events/streams/streams-check.ts'
import type { App } from '../http/app.ts'
import { buildServer } from '../http/server.ts'
import type { AccessList } from '../identity/access-list.ts'
import { publishedIdentity } from '../identity/published-identity.ts'
import { requestUser } from '../identity/request-user.ts'
import type { TokenVerifier } from '../identity/tokens.ts'
import { startTracing } from '../tracing/tracing.ts'
import type { CommonConfig, DatabaseConfig } from './env.ts'
import { addHealthRoutes, type HealthCheck, type Readiness } from './health.ts'
import { createLogger, type Logger } from './logger.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { onSignals, shutDown } from './shutdown.ts'
import { StationClock } from './station-clock.ts'

/** Work that runs beside the requests: loops, timers, leaders. */
export interface Background {
  start(): void | Promise<void>
  /** Resolves when all work in progress has finished. */
  stop(): void | Promise<void>
}

/** Dependencies that every service is given. */
export interface ServiceDeps<D extends EventTables> {
  db: Kysely<D>
  nats: NatsConnection
  logger: Logger
  metrics: Metrics
  /** Verifies events received over core NATS (`LiveEvents`). */
  keys: EventKeys
  verifier: TokenVerifier
  access: AccessList
  guard: Guard
  /** Reports a request refused because its user lacks a role. Every `forbidden` error is reported automatically. */
  reportRefusal: (request: FastifyRequest) => void
  /** The station's time, in epoch ms. */
  now: () => number
}

/** What a service provides, given its dependencies. */
export interface ServiceParts<D extends EventTables> {
  /** Registers the service's routes on a server that has the kit's plugins. */
  routes(app: App): void | Promise<void>
  handlers?: EventHandlers<Transaction<D>>
  afterApply?: (envelope: Envelope) => void
  background?: readonly Background[]
  checks?: readonly HealthCheck[]
  /** State that `/debug` shows in development, besides outbox, consumers, dead letters and settings. */
  debug?: readonly DebugSource[]
}

export interface ServiceOptions<D extends EventTables> {
  name: string
  config: CommonConfig & DatabaseConfig
  build(deps: ServiceDeps<D>): ServiceParts<D> | Promise<ServiceParts<D>>
  /** Default: the public keys and access list that auth publishes. Auth itself uses its own keys. */
  identity?: (
    deps: Pick<ServiceDeps<D>, 'db' | 'nats' | 'logger' | 'now'>,
  ) => Pick<ServiceDeps<D>, 'verifier' | 'access'> & Background
  /** URL prefix of routes that check the bearer token themselves. */
  ownProtocol?: string
  /** In bytes; default 256 KiB. */
  bodyLimit?: number
}

/** A running service, for tests and for {@link runService}. */
export interface RunningService {
  app: App
  /** `http://host:port` */
  url: string
  /** Publishes all events of the outbox and applies all pending events. */
  processAll(): Promise<void>
  close(): Promise<void>
}

/** Starts a service. Resolves when it listens and its streams exist. */
export async function startService<D extends EventTables>(
  options: ServiceOptions<D>,
): Promise<RunningService> {
  const { name, config } = options
  const stopTracing = await startTracing(name, config.tracing)
  const logger = createLogger(name, config.logLevel)
  const metrics = createMetrics(name)
  const readiness: Readiness = { ready: false }
  const db = createDb<D>(config.databaseUrl, logger, config.databasePoolSize)
  const tables = db as unknown as Kysely<EventTables>
  const nats = await connectNats(config.natsUrl, name, logger)
  const stopping = new AbortController()

  const clock = new StationClock()
  const clockSync = new DatabaseClockSync({ db: db as unknown as Kysely<unknown>, clock, logger })
  const { now } = clock
  const identity =
    options.identity?.({ db, nats, logger, now }) ?? publishedIdentity(config, nats, logger, now, metrics)
  const guard = new HttpGuard(config.adminAuditUrl, config.internalToken)
  const { verifier, access } = identity
  const keys = config.eventKeys
  const refusals = new RefusedAttemptReporter({ ...config, logger, metrics })
  const reportRefusal = (request: FastifyRequest): void => refusals.report(describeAttempt(request))
  const deps = { db, nats, logger, metrics, keys, verifier, access, guard, reportRefusal, now }
  const parts = await options.build(deps)

  const handlers = parts.handlers ?? {}
  requireSubscribed(name, Object.keys(handlers), keys)
  const shared = { nats, keys, logger, metrics }
  const relay = new OutboxRelay({ ...shared, databaseUrl: config.databaseUrl, db: tables })
  measureOutbox(metrics, tables)
  const inbox = new PgInbox(db)
  const { afterApply } = parts
  const consumers = new EventConsumers({ ...shared, service: name, inbox, handlers, afterApply })
  const streams = streamsCheck(nats, name, Object.keys(handlers) as EventType[])
  const app = buildServer({
    name,
    logger,
    metrics,
    bodyLimit: options.bodyLimit,
    onForbidden: reportRefusal,
  })
  addHealthRoutes(app, {
    readiness,
    checks: [
      { name: 'postgres', check: async () => void (await sql`select 1`.execute(db)) },
      { name: 'nats', check: async () => nats.flush() },
      streams,
      outboxCheck(tables),
      ...('check' in identity ? [identity.check as HealthCheck] : []),
      ...(parts.checks ?? []),
    ],
    metricsText: () => consumers.metricsText(),
  })
  const sources = [...(parts.debug ?? []), ...eventSources(tables, metrics, consumers)]
  addDebugRoute(app, { name, config, sources })
  await app.register(requestUser, { verifier, access, ownProtocol: options.ownProtocol })
  await app.register(async (scope) => {
    addDeadLetterRoutes(scope as App, {
      service: name,
      db: tables,
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
  })
  await app.register(async (scope) => parts.routes(scope as App))

  await clockSync.start()
  await identity.start()
  consumers.start()
  relay.start()
  for (const task of parts.background ?? []) await task.start()
  const url = await app.listen({ host: config.host, port: config.port })
  // Meanwhile `/readyz` responds with the names of what is missing.
  await waitForStreams(streams, stopping.signal, logger)
  readiness.ready = true

  const phases = [
    { name: 'unready', deadlineMs: 100, run: () => markUnready(readiness) },
    { name: 'http', deadlineMs: 5000, run: () => app.close() },
    { name: 'refused attempts', deadlineMs: 3000, run: () => refusals.close() },
    {
      name: 'background',
      deadlineMs: 5000,
      run: async () => {
        stopping.abort()
        await Promise.all((parts.background ?? []).map((task) => task.stop()))
      },
    },
    { name: 'consumers', deadlineMs: 5000, run: () => consumers.stop() },
    { name: 'identity', deadlineMs: 1000, run: () => identity.stop() },
    { name: 'clock', deadlineMs: 1000, run: () => clockSync.stop() },
    { name: 'outbox', deadlineMs: 3000, run: () => relay.stop() },
    { name: 'nats', deadlineMs: 3000, run: () => nats.close() },
    { name: 'postgres', deadlineMs: 3000, run: () => db.destroy() },
    { name: 'traces', deadlineMs: 2000, run: stopTracing },
  ]
  return {
    app,
    url,
    processAll: async () => {
      await relay.processAll()
      await consumers.processAll()
      await relay.processAll()
    },
    close: () => shutDown(phases, logger),
  }
}

function markUnready(readiness: Readiness): void {
  readiness.ready = false
}

/** Runs a service until the process receives a signal. */
export async function runService<D extends EventTables>(options: ServiceOptions<D>): Promise<void> {
  const service = await startService(options)
  onSignals(service.close, createLogger(options.name, options.config.logLevel))
}
