import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { startTracing } from '@looptide/service-kit/telemetry/tracing'
import { currentService, HostedService } from './hosted-service.ts'
import { type HostedServiceSpec, type HostRequest, type HostResponse, SERVICES_VARIABLE } from './protocol.ts'

// All services in one process, for small machines (`LOOPTIDE_PROCESSES`). Each has its own settings, database role,
// NATS connection, logger and lifecycle. docs/decisions/0053-one-process-shares-one-heap.md

const specs = JSON.parse(process.env[SERVICES_VARIABLE] ?? '[]') as HostedServiceSpec[]
delete process.env[SERVICES_VARIABLE]
const logger = createLogger('one-process', process.env.LOG_LEVEL ?? 'info')

function exitAfter(error: unknown, message: string): never {
  logger.fatal({ err: error }, message)
  process.exit(1)
}

/** An uncaught error is attributed to the service whose code ran. If there is none, the whole process restarts. */
function onUncaught(error: unknown): void {
  const service = currentService()
  if (service === undefined) exitAfter(error, 'uncaught error')
  service.crash(error)
}

process.on('uncaughtException', onUncaught)
process.on('unhandledRejection', onUncaught)

const services = new Map(
  specs.map(({ name, program, env }) => {
    const onGivenUp = (): never => exitAfter(undefined, `${name} cannot be restarted alone`)
    return [name, new HostedService({ name, program, env, logger, onGivenUp })] as const
  }),
)
const named = (isLast: boolean): HostedService[] =>
  specs.flatMap((spec) => (spec.isLast === isLast ? (services.get(spec.name) ?? []) : []))

const stopAll = async (): Promise<void> => {
  for (const group of [named(true), named(false)]) await Promise.all(group.map((service) => service.stop()))
}

let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'process closing')
    void stopAll().finally(() => process.exit(0))
  })
}

process.on('message', ({ id, action, service }: HostRequest) => {
  const respond = (response: HostResponse): void => void process.send?.(response)
  const found = services.get(service)
  const work = action === 'start' ? found?.start() : found?.stop()
  Promise.resolve(work).then(
    () => respond({ id }),
    (error: unknown) => respond({ id, error: String(error) }),
  )
})

try {
  // One tracer for the process: it must outlive the services that restart.
  const definition = await [...services.values()][0]?.define()
  await startTracing('looptide', definition?.config.tracing)
  for (const group of [named(false), named(true)]) await Promise.all(group.map((service) => service.start()))
  logger.info({ services: specs.map(({ name }) => name) }, 'process ready')
} catch (error) {
  exitAfter(error, 'start failed')
}
