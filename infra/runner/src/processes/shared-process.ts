import { isAbsolute, join } from 'node:path'
import { nodeEnv } from '@looptide/backing/base-env'
import { Failure } from '@looptide/backing/failure'
import { bundleRoot, repositoryRoot } from '@looptide/backing/paths'
import type { ProcessSpec } from '@looptide/backing/process-spec'
import {
  type HostedServiceSpec,
  type HostRequest,
  type HostResponse,
  SERVICES_VARIABLE,
} from '../one-process/protocol.ts'
import type { StationConfig } from '../station/config.ts'
import type { ServiceDefinition } from './services.ts'
import type { SupervisedProcess } from './supervised-process.ts'

/** Name of the process with all services (`LOOPTIDE_PROCESSES=one`). */
export const SHARED_PROCESS = 'services'

const HOST_PROGRAM = 'infra/runner/src/one-process/main'

interface SharedProcessOptions {
  config: StationConfig
  services: readonly ServiceDefinition[]
  hosted: readonly HostedServiceSpec[]
  stopTimeoutMs: number
  ready: () => Promise<void>
}

/** The process that runs all services. */
export function sharedProcessSpec(options: SharedProcessOptions): ProcessSpec {
  const { config, services, hosted, stopTimeoutMs, ready } = options
  const isBundled = config.bundle === 'on' && services.some(({ folder }) => !isAbsolute(folder))
  const program = isBundled
    ? join(bundleRoot, `${HOST_PROGRAM}.js`)
    : join(repositoryRoot, `${HOST_PROGRAM}.ts`)
  return {
    name: SHARED_PROCESS,
    command: process.execPath,
    args: [...services.flatMap(({ nodeArgs }) => nodeArgs ?? []), program],
    env: {
      ...nodeEnv(),
      LOG_LEVEL: config.logLevel,
      [SERVICES_VARIABLE]: JSON.stringify(hosted),
    },
    cwd: repositoryRoot,
    stopTimeoutMs,
    ready,
    hasChannel: true,
  }
}

/** One service of the shared process, operated like a process of its own where that is possible. */
export class SharedService {
  readonly #name: string
  readonly #process: SupervisedProcess
  readonly #ready: () => Promise<void>

  constructor(name: string, process: SupervisedProcess, ready: () => Promise<void>) {
    this.#name = name
    this.#process = process
    this.#ready = ready
  }

  /** Sends a signal to the shared process: a service alone cannot receive one. */
  kill(signal: NodeJS.Signals): Promise<void> {
    return this.#process.kill(signal)
  }

  async isReady(): Promise<boolean> {
    return (
      this.#process.pid !== undefined &&
      (await this.#ready().then(
        () => true,
        () => false,
      ))
    )
  }

  stop(): Promise<void> {
    return this.#request('stop')
  }

  async restart(): Promise<void> {
    await this.#request('stop')
    await this.#request('start')
  }

  async #request(action: HostRequest['action']): Promise<void> {
    const response = (await this.#process.request({ action, service: this.#name })) as HostResponse
    if (response.error !== undefined) throw new Failure(`${this.#name}: ${response.error}`)
  }
}
