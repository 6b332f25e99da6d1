import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type ProcessDefinition,
  type RunningProcess,
  startProcess,
} from '@looptide/service-kit/process/start-process'
import type { Logger } from '@looptide/service-kit/telemetry/logger'

/** The module of a service that defines its process (`src/process.ts`). */
interface ProcessModule {
  createProcess(env: Record<string, string>): ProcessDefinition
}

interface HostedServiceOptions {
  name: string
  /** File of the service's {@link ProcessModule}. */
  program: string
  /** All settings of the service; it reads no others. */
  env: Record<string, string>
  logger: Logger
  /** Called when the service cannot be restarted. Ends the process. */
  onGivenUp: () => never
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 10_000
/** A service that ran this long (ms) started successfully. */
const HEALTHY_AFTER_MS = 10_000
const FAILURES_BEFORE_GIVING_UP = 3

const current = new AsyncLocalStorage<HostedService>()

/** The service whose code is running: in an `uncaughtException` handler, the one that caused the error. */
export const currentService = (): HostedService | undefined => current.getStore()

/** One service in a process that it shares with others. */
export class HostedService {
  readonly name: string
  readonly #options: HostedServiceOptions
  #running: RunningProcess | undefined
  #restarting: Promise<void> | undefined
  #isWanted = false
  #failures = 0
  #startedAtMs = 0

  constructor(options: HostedServiceOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The service's definition. Throws a ConfigError that names every invalid setting. */
  async define(): Promise<ProcessDefinition> {
    const { program, env } = this.#options
    const module = (await import(pathToFileURL(program).href)) as ProcessModule
    return module.createProcess(env)
  }

  /** Starts the service and resolves when it is ready. A start that fails is repeated. */
  async start(): Promise<void> {
    this.#isWanted = true
    this.#failures = 0
    await this.#launchUntilReady()
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    await this.#restarting
    await this.#close()
  }

  /**
   * Replaces the service after an uncaught error: its state is unknown. Errors of a service that is being replaced or
   * stopped are only logged. An error before the service was ever ready cannot be repaired.
   */
  crash(error: unknown): void {
    const { logger, onGivenUp } = this.#options
    logger.error({ err: error, part: this.name }, 'service crashed')
    if (this.#restarting !== undefined || !this.#isWanted) return
    if (this.#running === undefined) onGivenUp()
    this.#restarting = this.#restart().finally(() => {
      this.#restarting = undefined
    })
  }

  async #launch(): Promise<void> {
    const definition = await this.define()
    this.#running = await current.run(this, () => startProcess(definition))
    this.#startedAtMs = performance.now()
  }

  async #close(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.close()
  }

  async #restart(): Promise<void> {
    if (performance.now() - this.#startedAtMs > HEALTHY_AFTER_MS) this.#failures = 0
    await this.#close()
    await this.#backOff()
    await this.#launchUntilReady()
    if (this.#isWanted) this.#options.logger.warn({ part: this.name }, 'service restarted')
  }

  async #launchUntilReady(): Promise<void> {
    while (this.#isWanted) {
      try {
        return await this.#launch()
      } catch (err) {
        this.#options.logger.error({ err, part: this.name }, 'service start failed')
        await this.#backOff()
      }
    }
  }

  /** Counts a failure and waits, longer after each one. */
  async #backOff(): Promise<void> {
    this.#failures += 1
    if (this.#failures > FAILURES_BEFORE_GIVING_UP) this.#options.onGivenUp()
    await pause(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1)))
  }
}
