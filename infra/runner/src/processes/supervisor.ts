import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@looptide/backing/failure'
import type { ProcessSpec } from '@looptide/backing/process-spec'
import { Echo } from './echo.ts'
import type { Ledger } from './ledger.ts'
import { LogFile } from './log-file.ts'
import { SupervisedProcess } from './supervised-process.ts'

export interface SupervisorOptions {
  dataDir: string
  ledger: Ledger
  say: (text: string) => void
  tether: boolean
  /** Processes whose log is echoed in full. */
  shownInFull: readonly string[]
}

/** The processes of one station by name. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #processes = new Map<string, SupervisedProcess>()
  readonly #echo: Echo
  #stopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#echo = new Echo(options.say, options.shownInFull)
  }

  /**
   * Starts a process and keeps it running.
   *
   * @param options.echo whether its warnings are shown on the terminal; its log file contains everything
   */
  async start(spec: ProcessSpec, options: { echo: boolean }): Promise<void> {
    if (this.#stopping) throw new Failure('The station is being stopped.')
    const { dataDir, say, ledger, tether } = this.#options
    const log = new LogFile(join(dataDir, 'logs', `${spec.name}.log`), (line) => {
      if (options.echo) this.#echo.line(spec.name, line)
    })
    const supervised = new SupervisedProcess(spec, { ledger, log, say, tether })
    this.#processes.set(spec.name, supervised)
    await supervised.start()
  }

  /** Shows warnings from now on. */
  startEchoing(): void {
    this.#echo.enabled = true
  }

  get(name: string): SupervisedProcess {
    const found = this.#processes.get(name)
    if (found === undefined) throw new Failure(`This station runs no process named ${name}.`)
    return found
  }

  pids(): Record<string, number> {
    const running = [...this.#processes].flatMap(([name, { pid }]) =>
      pid === undefined ? [] : [[name, pid] as const],
    )
    return Object.fromEntries(running)
  }

  /** The log of `name` since its start. */
  logs(name: string): string {
    return readFileSync(this.get(name).logPath, 'utf8')
  }

  /** Stops everything, phase by phase; processes that no phase names stop first. */
  async stop(phases: readonly (readonly string[])[]): Promise<void> {
    this.#stopping = true
    this.#echo.enabled = false
    const named = new Set(phases.flat())
    const others = [...this.#processes.keys()].filter((name) => !named.has(name))
    for (const names of [others, ...phases]) {
      await Promise.all(names.map((name) => this.#processes.get(name)?.stop()))
    }
  }

  /** Kills everything. */
  killAll(): void {
    this.#stopping = true
    for (const supervised of this.#processes.values()) {
      void supervised.stop()
      void supervised.kill('SIGKILL')
    }
  }
}
