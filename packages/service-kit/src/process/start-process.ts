import { Gauge } from 'prom-client'
import { connectNats } from '../events/nats.ts'
import type { NatsConnection } from '../events/nats-client.ts'
import type { App } from '../http/app.ts'
import { addHealthRoutes, type HealthCheck, type Readiness } from '../http/health.ts'
import type { CommonConfig } from '../settings/env.ts'
import { createLogger, type Logger } from '../telemetry/logger.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { startTracing } from '../telemetry/tracing.ts'
import { PeriodicTask } from '../time/periodic-task.ts'
import { StationClock } from '../time/station-clock.ts'
import { loadInternalTls } from '../tls/internal-client.ts'
import type { InternalTls } from '../tls/internal-tls.ts'
import { type ShutdownPhase, shutDown } from './shutdown.ts'

/** The parts that every process has. */
export interface ProcessBase {
  logger: Logger
  metrics: Metrics
  nats: NatsConnection
  /** The machine's clock until a part of the process adjusts it. */
  clock: StationClock
  readiness: Readiness
  /** The process's certificate; undefined if connections between processes are not encrypted. */
  tls: InternalTls | undefined
}

/** One part of a process: a server, a connection, background work. */
export interface ProcessPart {
  name: string
  start?(): unknown
  stop?(): Promise<void> | void
  /** A stop that takes longer is abandoned, in ms. */
  deadlineMs: number
}

/** The parts of one process. */
interface ProcessPlan<Handle> {
  /** The server at `HOST` and `PORT`. */
  app: App
  /** Server of probes and metrics. Default: `app`. */
  probes?: App
  /** Checks of `/readyz`. NATS is always checked. */
  checks: readonly HealthCheck[]
  metricsText: () => Promise<string>
  /** Parts start in order, before the server listens, and stop in reverse order, after it has closed. */
  parts: readonly ProcessPart[]
  /** Parts that need no NATS connection and stop after it is closed. */
  stores?: readonly ProcessPart[]
  /** Stops before the server does: connections that would keep it open. */
  drain?: ProcessPart
  /** Time for the server to answer what it has accepted, in ms. Default 5000. */
  httpDeadlineMs?: number
  /** Resolves when requests may be accepted. Meanwhile `/readyz` lists the failed checks. */
  untilReady?: (signal: AbortSignal) => Promise<void>
  /** The interface of this process for tests. */
  handle: Handle
}

/** A process that can be started any number of times, also together with others in one Node process. */
export interface ProcessDefinition<Handle = object> {
  name: string
  config: CommonConfig
  /** Creates the parts. Nothing is started. */
  build(base: ProcessBase): ProcessPlan<Handle> | Promise<ProcessPlan<Handle>>
}

export interface RunningProcess {
  app: App
  /** `http://host:port`, or `https:` */
  url: string
  /** Stops all parts. Never rejects. */
  close(): Promise<void>
}

/**
 * Starts a process: tracing, logger, metrics and NATS, then its own parts. Resolves when it is ready. If a part does not
 * start, the parts before it are stopped and the error is thrown.
 */
export async function startProcess<Handle>(
  definition: ProcessDefinition<Handle>,
): Promise<RunningProcess & Handle> {
  const { name, config } = definition
  const tls = config.internalTls && (await loadInternalTls(config.internalTls))
  const stopTracing = await startTracing(name, config.tracing)
  const logger = createLogger(name, config.logLevel)
  const metrics = createMetrics(name)
  const readiness: Readiness = { ready: false }
  const running = new RunningParts(logger)
  const stopping = new AbortController()
  const close = async (): Promise<void> => {
    readiness.ready = false
    stopping.abort()
    await running.stop()
  }
  try {
    await running.start({ name: 'traces', deadlineMs: 2000, stop: stopTracing })
    if (tls !== undefined) {
      const renewal = certificateRenewal(tls, { logger, metrics })
      await running.start({
        name: 'certificate',
        deadlineMs: 1000,
        start: () => renewal.start(),
        stop: () => renewal.stop(),
      })
    }
    const nats = await connectNats(config.natsUrl, name, logger)
    const closeNats = { name: 'nats', deadlineMs: 3000, stop: () => nats.close() }
    const plan = await buildPlan(
      definition,
      { logger, metrics, nats, clock: new StationClock(), readiness, tls },
      closeNats,
    )
    const { app, handle } = plan
    let url = ''
    const server: ProcessPart = {
      name: 'http',
      deadlineMs: plan.httpDeadlineMs ?? 5000,
      start: async () => {
        url = await app.listen({ host: config.host, port: config.port })
      },
      stop: () => app.close(),
    }
    const drain = plan.drain === undefined ? [] : [plan.drain]
    for (const part of [...(plan.stores ?? []), closeNats, ...plan.parts, server, ...drain]) {
      await running.start(part)
    }
    await plan.untilReady?.(stopping.signal)
    readiness.ready = true
    logger.info({ url }, 'process ready')
    return { app, url, close, ...handle }
  } catch (error) {
    await close()
    throw error
  }
}

/** Builds the plan with its health routes. Closes NATS if it cannot be built. */
async function buildPlan<Handle>(
  definition: ProcessDefinition<Handle>,
  base: ProcessBase,
  closeNats: { stop: () => Promise<void> },
): Promise<ProcessPlan<Handle>> {
  try {
    const plan = await definition.build(base)
    addHealthRoutes(plan.probes ?? plan.app, {
      readiness: base.readiness,
      checks: [{ name: 'nats', check: async () => base.nats.flush() }, ...plan.checks],
      metricsText: plan.metricsText,
    })
    return plan
  } catch (error) {
    await closeNats.stop()
    throw error
  }
}

/** The started parts, newest first. */
class RunningParts {
  readonly #phases: ShutdownPhase[] = []
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** A part that fails to start is stopped as well: half of it may run. */
  async start(part: ProcessPart): Promise<void> {
    const { name, deadlineMs } = part
    this.#phases.unshift({ name, deadlineMs, run: () => part.stop?.() })
    await part.start?.()
  }

  async stop(): Promise<void> {
    await shutDown(this.#phases.splice(0), this.#logger)
  }
}

/** Interval at which the files are read, in ms. Kubernetes itself needs about a minute to update a mounted secret. */
const RENEW_EVERY_MS = 60_000

/** Replaces the certificate when its files change, and measures when it expires. */
function certificateRenewal(
  tls: InternalTls,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): PeriodicTask {
  new Gauge({
    name: 'looptide_tls_certificate_expires_timestamp_seconds',
    help: 'End of the validity of the certificate for connections between processes, in epoch seconds.',
    registers: [metrics.registry],
    collect() {
      this.set(tls.expiresAtMs / 1000)
    },
  })
  return new PeriodicTask({
    logger,
    everyMs: RENEW_EVERY_MS,
    atStart: false,
    failure: 'certificate not renewed',
    run: async () => {
      if (tls.renew()) logger.info({ expiresAtMs: tls.expiresAtMs }, 'certificate renewed')
    },
  })
}
