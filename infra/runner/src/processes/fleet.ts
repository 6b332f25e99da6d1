import { Failure } from '@looptide/backing/failure'
import { freePort } from '@looptide/backing/free-port'
import type { ProcessSpec } from '@looptide/backing/process-spec'
import type { ServiceName } from '@looptide/backing/service-names'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { Balancer } from './balancer.ts'
import {
  isRun,
  programFile,
  protocolOf,
  type ServiceDefinition,
  type StationContext,
  serviceEnv,
  serviceFolder,
} from './services.ts'
import { SHARED_PROCESS, SharedService, sharedProcessSpec } from './shared-process.ts'
import type { SupervisedProcess } from './supervised-process.ts'

/** Number of processes of each service; one by default. */
export type ReplicaCounts = Partial<Record<ServiceName, number>>

/** One process of a service. */
interface Instance {
  service: ServiceDefinition
  /** The service's name; further ones are `chat-2`, `chat-3` … */
  name: string
  port: number
}

interface FleetOptions {
  services: readonly ServiceDefinition[]
  counts: ReplicaCounts
  context: StationContext
  /** Starts a process and resolves when it is ready. */
  run: (spec: ProcessSpec) => Promise<void>
  processNamed: (name: string) => SupervisedProcess
  isRunning: (name: string) => Promise<boolean>
}

/** A gateway with many viewers disconnects them over some seconds, in ms. */
const stopTimeoutMs = 35_000

/** The processes of our services: one of each, or several behind one address. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #instances: readonly Instance[]
  readonly #balancers: Balancer[] = []

  constructor(options: FleetOptions, instances: readonly Instance[]) {
    this.#options = options
    this.#instances = instances
  }

  /** Assigns names and ports. A single process listens at its service's port, several listen at ports of their own. */
  static async plan(options: FleetOptions): Promise<Fleet> {
    const services = options.services.filter(({ name }) => isRun(name, options.context.config))
    const instances: Instance[] = []
    for (const service of services) {
      const count = options.counts[service.name] ?? 1
      for (let number = 1; number <= count; number += 1) {
        const name = number === 1 ? service.name : `${service.name}-${number}`
        const port = count === 1 ? options.context.ports[service.name] : await freePort()
        instances.push({ service, name, port })
      }
    }
    return new Fleet({ ...options, services }, instances)
  }

  get names(): string[] {
    return this.#instances.map(({ name }) => name)
  }

  /** The processes of one service, by name. */
  namesOf(service: ServiceName): string[] {
    return this.#instances.filter((one) => one.service.name === service).map(({ name }) => name)
  }

  /** The URL of one process. */
  urlOf(name: string): string {
    const instance = this.#instances.find((one) => one.name === name)
    if (instance === undefined) throw new Failure(`This station runs no service named ${name}.`)
    return this.#urlOf(instance)
  }

  /** What operates one service: its process, or its place in the shared process. Undefined for an unknown name. */
  unit(name: string): SupervisedProcess | SharedService | undefined {
    const instance = this.#instances.find((one) => one.name === name)
    if (instance === undefined) return undefined
    if (!this.#isShared) return this.#options.processNamed(name)
    return new SharedService(name, this.#options.processNamed(SHARED_PROCESS), () =>
      checkReady(this.#urlOf(instance)),
    )
  }

  /** Process ids by name. Services that share a process have its id. */
  pids(byProcess: Record<string, number>): Record<string, number> {
    const { [SHARED_PROCESS]: pid, ...others } = byProcess
    return pid === undefined
      ? others
      : { ...others, ...Object.fromEntries(this.names.map((name) => [name, pid])) }
  }

  /** The process that runs this service, or `name` itself. */
  processOf(name: string): string {
    return this.#isShared && this.names.includes(name) ? SHARED_PROCESS : name
  }

  /** Starts all concurrently, the gateway after the others are ready. */
  async start(): Promise<void> {
    const { services } = this.#options
    if (this.#isShared) await this.#startShared()
    const others = services.filter((service) => service.name !== 'gateway')
    await Promise.all(others.map((service) => this.#startService(service)))
    for (const service of services) if (service.name === 'gateway') await this.#startService(service)
  }

  /** The supervisor stops the processes. */
  async stopBalancers(): Promise<void> {
    await Promise.all(this.#balancers.map((balancer) => balancer.stop()))
  }

  get #isShared(): boolean {
    return this.#options.context.config.processes === 'one'
  }

  async #startService(service: ServiceDefinition): Promise<void> {
    const { context, isRunning } = this.#options
    const instances = this.#instances.filter((instance) => instance.service === service)
    if (!this.#isShared) await Promise.all(instances.map((instance) => this.#startInstance(instance)))
    if (instances.length === 1) return
    const targets = instances.map(({ name, port }) => ({ port, isReady: () => isRunning(name) }))
    const balancer = new Balancer(context.ports[service.name], targets)
    this.#balancers.push(balancer)
    await balancer.start()
  }

  async #startInstance(instance: Instance): Promise<void> {
    const { service, name } = instance
    const { context, run } = this.#options
    await run({
      name,
      command: process.execPath,
      args: [...(service.nodeArgs ?? []), programFile(service, 'src/main.ts', context.config)],
      env: this.#envOf(instance),
      cwd: serviceFolder(service),
      stopTimeoutMs,
      ready: () => checkReady(this.#urlOf(instance)),
    })
  }

  async #startShared(): Promise<void> {
    const { services, context, run } = this.#options
    const { config } = context
    const hosted = this.#instances.map((instance) => ({
      name: instance.name,
      program: programFile(instance.service, 'src/process.ts', config),
      env: this.#envOf(instance),
      isLast: instance.service.name === 'gateway',
    }))
    const ready = async (): Promise<void> =>
      void (await Promise.all(this.#instances.map((instance) => checkReady(this.#urlOf(instance)))))
    await run(sharedProcessSpec({ config, services, hosted, stopTimeoutMs: 2 * stopTimeoutMs, ready }))
  }

  #urlOf({ port }: Instance): string {
    return `${protocolOf(this.#options.context.config)}://127.0.0.1:${port}`
  }

  #envOf({ service, port }: Instance): Record<string, string> {
    return { ...serviceEnv(service, this.#options.context), PORT: String(port) }
  }
}

/** @throws when the process at this URL is not ready */
async function checkReady(url: string): Promise<void> {
  const readiness = `${url}/readyz`
  const response = await internalFetch(readiness, { signal: AbortSignal.timeout(2000) })
  if (!response.ok) throw new Error(`${readiness} answers ${response.status}`)
}
