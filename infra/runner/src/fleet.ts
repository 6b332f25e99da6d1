import { Balancer } from './balancer.ts'
import { Failure } from './failure.ts'
import { freePort } from './free-port.ts'
import type { ServiceName } from './service-names.ts'
import {
  programFile,
  type ServiceDefinition,
  type Surroundings,
  serviceEnv,
  serviceFolder,
} from './services.ts'
import type { ProcessSpec } from './supervised-process.ts'

/** How many processes of each service; one of those that are not named. */
export type ReplicaCounts = Partial<Record<ServiceName, number>>

/** One process of a service. */
type Instance = {
  service: ServiceDefinition
  /** The service's name, and for further ones `chat-2`, `chat-3` … */
  name: string
  port: number
}

type FleetOptions = {
  services: readonly ServiceDefinition[]
  counts: ReplicaCounts
  around: Surroundings
  /** Starts a process and resolves when it is ready. */
  run: (spec: ProcessSpec) => Promise<void>
  isRunning: (name: string) => Promise<boolean>
}

/** A gateway with many viewers sends them away over some seconds; whoever has nothing to wait for ends at once. */
const stopTimeoutMs = 35_000

/** The processes of our own services: one of each, or several behind one address. */
export class Fleet {
  readonly #options: FleetOptions
  readonly #instances: readonly Instance[]
  readonly #balancers: Balancer[] = []

  private constructor(options: FleetOptions, instances: readonly Instance[]) {
    this.#options = options
    this.#instances = instances
  }

  /** Gives each process its name and port. A single one listens where its service is found, several on ports of their own. */
  static async plan(options: FleetOptions): Promise<Fleet> {
    const instances: Instance[] = []
    for (const service of options.services) {
      const count = options.counts[service.name] ?? 1
      for (let number = 1; number <= count; number += 1) {
        const name = number === 1 ? service.name : `${service.name}-${number}`
        const port = count === 1 ? options.around.ports[service.name] : await freePort()
        instances.push({ service, name, port })
      }
    }
    return new Fleet(options, instances)
  }

  get names(): string[] {
    return this.#instances.map(({ name }) => name)
  }

  /** The processes of one service, by name. */
  namesOf(service: ServiceName): string[] {
    return this.#instances.filter((one) => one.service.name === service).map(({ name }) => name)
  }

  /** The address of one process alone. */
  urlOf(name: string): string {
    const instance = this.#instances.find((one) => one.name === name)
    if (instance === undefined) throw new Failure(`This station runs no service named ${name}.`)
    return `http://127.0.0.1:${instance.port}`
  }

  /** Starts all at once, the gateway when the others are ready: it is the door. */
  async start(): Promise<void> {
    const { services } = this.#options
    const behind = services.filter((service) => service.name !== 'gateway')
    await Promise.all(behind.map((service) => this.#startService(service)))
    for (const service of services) if (service.name === 'gateway') await this.#startService(service)
  }

  /** The processes themselves are the supervisor's to stop. */
  async stopBalancers(): Promise<void> {
    await Promise.all(this.#balancers.map((balancer) => balancer.stop()))
  }

  async #startService(service: ServiceDefinition): Promise<void> {
    const { around, isRunning } = this.#options
    const instances = this.#instances.filter((instance) => instance.service === service)
    await Promise.all(instances.map((instance) => this.#startInstance(instance)))
    if (instances.length === 1) return
    const targets = instances.map(({ name, port }) => ({ port, isReady: () => isRunning(name) }))
    const balancer = new Balancer(around.ports[service.name], targets)
    this.#balancers.push(balancer)
    await balancer.start()
  }

  async #startInstance({ service, name, port }: Instance): Promise<void> {
    const readiness = `http://127.0.0.1:${port}/readyz`
    await this.#options.run({
      name,
      command: process.execPath,
      args: [...(service.nodeArgs ?? []), programFile(service, 'src/main.ts', this.#options.around.config)],
      env: { ...serviceEnv(service, this.#options.around), PORT: String(port) },
      cwd: serviceFolder(service),
      stopTimeoutMs,
      ready: async () => {
        const response = await fetch(readiness, { signal: AbortSignal.timeout(2000) })
        if (!response.ok) throw new Error(`${readiness} answers ${response.status}`)
      },
    })
  }
}
