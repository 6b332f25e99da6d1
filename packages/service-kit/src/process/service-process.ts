import type { TLSSocket } from 'node:tls'
import type { Envelope, EventType } from '@looptide/contracts/events'
import type { AttemptLack } from '@looptide/contracts/http/admin'
import type { Operation } from '@looptide/contracts/operation'
import type { FastifyRequest } from 'fastify'
import { describeAttempt, RefusedAttemptReporter } from '../audit/refused-attempts.ts'
import type { DebugSource } from '../debug/debug-report.ts'
import { addDebugRoute } from '../debug/debug-route.ts'
import { consumerSource } from '../debug/event-sources.ts'
import { EventConsumers } from '../events/consumer.ts'
import type { EventKeys } from '../events/event-keys.ts'
import type { ConsumerDeps, EventHandlers } from '../events/stream-consumer.ts'
import { requireSubscribed, streamsCheck, waitForStreams } from '../events/streams/streams-check.ts'
import type { App } from '../http/app.ts'
import { errors } from '../http/errors.ts'
import type { HealthCheck } from '../http/health.ts'
import { buildServer } from '../http/server.ts'
import type { AccessList } from '../identity/access-list.ts'
import { requestUser } from '../identity/request-user.ts'
import type { TokenVerifier } from '../identity/tokens.ts'
import { type Guard, HttpGuard } from '../limits/guard.ts'
import { bindRoutes, type OwnProtocol } from '../routes/bind-routes.ts'
import type { Route } from '../routes/route.ts'
import type { CommonConfig } from '../settings/env.ts'
import { type Background, together } from './background.ts'
import type { ProcessBase, ProcessDefinition, ProcessPart, RunningProcess } from './start-process.ts'

/** Dependencies that every service is given. */
export interface ServiceBase extends ProcessBase {
  /** Verifies events received over core NATS (`LiveEvents`). */
  keys: EventKeys
  guard: Guard
  /** Reports a request refused because its user lacks a role. Every `forbidden` error is reported automatically. */
  reportRefusal: (request: FastifyRequest, lacks?: AttemptLack) => void
  /** The station's time, in epoch ms. */
  now: () => number
}

/** Verifies tokens, and provides roles and revoked sessions. */
export interface ServiceIdentity extends Background {
  verifier: TokenVerifier
  access: AccessList
  check?: HealthCheck
  /** The time that proofs of a session are compared with, in epoch ms. Default: the station's time. */
  now?: () => number
}

/** The parts of a service, created from its dependencies. `Context` is the argument of its event handlers. */
export interface ServicePlan<Context> {
  identity: ServiceIdentity
  inbox: ConsumerDeps<Context>['inbox']
  handlers: EventHandlers<Context>
  afterApply?: ((envelope: Envelope) => void) | undefined
  /** The consumers replay dead letters. */
  routes: (consumers: EventConsumers<Context>) => readonly Route[]
  /** Operations that the process adds to those of its service. */
  operations?: readonly Operation[]
  ownProtocol?: OwnProtocol | undefined
  checks: readonly HealthCheck[]
  stores: readonly ProcessPart[]
  /** Parts that start before identity and consumers and stop after them. */
  base?: readonly ProcessPart[]
  background: readonly Background[]
  /** Work that the clock alone starts, such as retention. A test that runs it itself starts the process without. */
  tasks?: readonly Background[]
  /** State that `/debug` shows in development, in addition to consumers and settings. */
  debug: readonly DebugSource[]
  /** Publishes all events that wait in the service's outbox. */
  publishAll?: () => Promise<unknown>
}

export interface ServiceProcessOptions<Context> {
  name: string
  config: CommonConfig
  /** The definitions of `packages/contracts/src/operations` that the service owns. Each needs a handler. */
  operations: Readonly<Record<string, Operation>>
  /** In bytes; default 256 KiB. */
  bodyLimit?: number | undefined
  build(base: ServiceBase): ServicePlan<Context> | Promise<ServicePlan<Context>>
}

/** Name of the part with the work that the clock alone starts. */
export const TASKS = 'tasks'

/** For tests. */
export interface ServiceHandle {
  /** Publishes all events of the outbox and applies all pending events. */
  processAll(): Promise<void>
}

export type RunningService = RunningProcess & ServiceHandle

/** The process of a service: a server that identifies users, event consumers and background work. */
export const serviceProcess = <Context>(
  options: ServiceProcessOptions<Context>,
): ProcessDefinition<ServiceHandle> => ({
  name: options.name,
  config: options.config,
  build: async (processBase) => {
    const { name, config } = options
    const { nats, logger, metrics, clock, tls } = processBase
    const { eventKeys: keys, adminAuditUrl, internalToken } = config
    const refusals = new RefusedAttemptReporter({ ...config, logger, metrics })
    const reportRefusal = (request: FastifyRequest, lacks: AttemptLack = 'role'): void =>
      refusals.report(describeAttempt(request, lacks))
    const guard = new HttpGuard(adminAuditUrl, internalToken)
    const plan = await options.build({ ...processBase, keys, guard, reportRefusal, now: clock.now })
    const { identity, handlers, inbox, afterApply, publishAll } = plan
    const types = Object.keys(handlers) as EventType[]
    requireSubscribed(name, types, keys)
    const delivery = { service: name, nats, keys, logger, metrics }
    const consumers = new EventConsumers<Context>({ ...delivery, inbox, handlers, afterApply })
    const streams = streamsCheck(nats, name, types)
    const identityCheck = identity.check === undefined ? [] : [identity.check]
    return {
      app: await buildApp(options, plan, {
        ...{ consumers, logger, metrics, tls, onForbidden: reportRefusal },
        now: identity.now ?? clock.now,
      }),
      checks: [streams, ...identityCheck, ...plan.checks],
      metricsText: () => consumers.metricsText(),
      stores: plan.stores,
      parts: [
        ...(plan.base ?? []),
        partOf('identity', 1000, identity),
        partOf('consumers', 5000, consumers),
        partOf('background', 5000, together(plan.background)),
        partOf(TASKS, 5000, together(plan.tasks ?? [])),
        { name: 'refused attempts', deadlineMs: 3000, stop: () => refusals.close() },
      ],
      untilReady: (signal) => waitForStreams(streams, signal, logger),
      handle: {
        processAll: async () => {
          await publishAll?.()
          await consumers.processAll()
          await publishAll?.()
        },
      },
    }
  },
})

/** Background work as a part of the process. */
export const partOf = (name: string, deadlineMs: number, work: Background): ProcessPart => ({
  name,
  deadlineMs,
  start: () => work.start(),
  stop: () => work.stop(),
})

type ServerDeps<Context> = Pick<ProcessBase, 'logger' | 'metrics' | 'tls'> & {
  consumers: EventConsumers<Context>
  now: () => number
  onForbidden: (request: FastifyRequest, lacks: AttemptLack) => void
}

async function buildApp<Context>(
  { name, bodyLimit, config, operations }: ServiceProcessOptions<Context>,
  { identity: { verifier, access }, debug, ownProtocol, ...plan }: ServicePlan<Context>,
  { consumers, now, ...server }: ServerDeps<Context>,
): Promise<App> {
  const app = buildServer({ name, bodyLimit, ...server })
  if (server.tls !== undefined) requireClientCertificate(app)
  const sources = [consumerSource(server.metrics, consumers), ...debug]
  addDebugRoute(app, { name, config, sources })
  await app.register(requestUser, { verifier, access, ownProtocol: ownProtocol?.prefix })
  const { internalTokensAccepted } = config
  const service = { name, operations: [...Object.values(operations), ...(plan.operations ?? [])] }
  await bindRoutes(app, service, plan.routes(consumers), { internalTokensAccepted, ownProtocol, now })
  return app
}

/** Probes of the kubelet and Prometheus, which have no certificate. None of them reads or changes data of users. */
const OPEN_ROUTES = ['/livez', '/readyz', '/metrics']

/** Refuses every request of a client without a certificate of the station's authorities, except probes. */
export function requireClientCertificate(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (OPEN_ROUTES.includes(request.routeOptions.url ?? '')) return
    const { authorized } = request.raw.socket as TLSSocket
    if (!authorized) throw errors.notAllowed('A client certificate is required.')
  })
}
