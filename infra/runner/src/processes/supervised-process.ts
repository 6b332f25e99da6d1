import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Failure } from '@looptide/backing/failure'
import type { ProcessSpec } from '@looptide/backing/process-spec'
import type { Ledger } from './ledger.ts'
import type { LogFile } from './log-file.ts'

export interface ProcessContext {
  ledger: Ledger
  log: LogFile
  say: (text: string) => void
  /** The kernel kills the process when this one dies: for tests, whose data is not used again. */
  tether: boolean
}

const setpriv = '/usr/bin/setpriv'
const firstDelayMs = 100
const longestDelayMs = 10_000
/** Ends the start of a process that hangs; the slowest machines need a minute. A process that ends is noticed at once. */
const readyTimeoutMs = 180_000
/** A process that ran this long (ms) started successfully. */
const healthyAfterMs = 10_000
const failuresBeforeGivingUp = 3
const pollEveryMs = 50
const probeTimeoutMs = 5000

/** Keeps one process running: after an unexpected end it is started again, with growing delays. */
export class SupervisedProcess {
  readonly spec: ProcessSpec
  readonly #context: ProcessContext
  #child: ChildProcess | undefined
  #wanted = false
  #failures = 0
  #spawnedAt = 0
  #requests = 0
  #respawn: NodeJS.Timeout | undefined
  #exited: Promise<void> = Promise.resolve()

  constructor(spec: ProcessSpec, context: ProcessContext) {
    this.spec = spec
    this.#context = context
  }

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  get logPath(): string {
    return this.#context.log.path
  }

  /**
   * Starts the process and resolves when it is ready.
   *
   * @throws Failure when it ends three times before that, cannot become ready, or is not ready in time
   */
  async start(): Promise<void> {
    this.#wanted = true
    this.#failures = 0
    await this.#spawn()
    const deadline = performance.now() + readyTimeoutMs
    for (;;) {
      if (!this.#wanted) throw new Failure(`${this.spec.name} was stopped while it started.`)
      if (this.#failures >= failuresBeforeGivingUp)
        await this.#giveUp('keeps ending as soon as it is started')
      const isReady = await this.#probe()
      if (isReady === true) return
      if (isReady instanceof Failure) {
        await this.stop()
        throw isReady
      }
      if (performance.now() > deadline) await this.#giveUp(`is not ready after ${readyTimeoutMs / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
    }
  }

  /** Sends a signal. A process that ends because of it is started again. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const exited = this.#exited
    if (this.#child?.kill(signal) === true && signal === 'SIGKILL') await exited
  }

  /** Whether the process runs and is ready. */
  async isReady(): Promise<boolean> {
    return (await this.#probe()) === true
  }

  /** A probe that does not finish in time counts as failed. */
  async #probe(): Promise<boolean | Failure> {
    if (this.pid === undefined) return false
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), probeTimeoutMs)
    })
    const answered = this.spec.ready().then(
      () => true,
      (error: unknown) => error instanceof Failure && error,
    )
    const result = await Promise.race([answered, late])
    clearTimeout(timer)
    return result
  }

  /** Stops the process and leaves it stopped; kills it after the time limit. */
  async stop(): Promise<void> {
    this.#wanted = false
    clearTimeout(this.#respawn)
    const child = this.#child
    if (child === undefined) return
    child.kill(this.spec.stopSignal ?? 'SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), this.spec.stopTimeoutMs ?? 10_000)
    await this.#exited
    clearTimeout(force)
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /**
   * Sends a request over the message channel and resolves with the response of the same `id`.
   *
   * @throws Failure when the process ends before it responds
   */
  async request(request: object): Promise<object> {
    const child = this.#child
    if (child === undefined) throw new Failure(`${this.spec.name} is not running.`)
    this.#requests += 1
    const id = this.#requests
    return new Promise((resolve, reject) => {
      const onMessage = (message: { id?: number }): void => {
        if (message.id !== id) return
        child.off('exit', onExit)
        child.off('message', onMessage)
        resolve(message)
      }
      const onExit = (): void => reject(new Failure(`${this.spec.name} ended before it responded.`))
      child.on('message', onMessage)
      child.once('exit', onExit)
      child.send({ id, ...request })
    })
  }

  async #giveUp(what: string): Promise<never> {
    await this.stop()
    const { log } = this.#context
    throw new Failure(`${this.spec.name} ${what}: see its log (${log.path}).\n${log.tail()}`)
  }

  async #spawn(): Promise<void> {
    await this.spec.prepare?.()
    if (!this.#wanted) return
    const { spec } = this
    const tether = this.#context.tether && existsSync(setpriv)
    const command = tether ? setpriv : spec.command
    const args = tether ? ['--pdeathsig', 'KILL', spec.command, ...spec.args] : [...spec.args]
    const child = spawn(command, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe', ...(spec.hasChannel === true ? (['ipc'] as const) : [])],
      // A separate process group: the terminal's Ctrl-C reaches only the runner, which stops processes in order.
      detached: true,
      ...(spec.account === undefined ? {} : { uid: spec.account.uid, gid: spec.account.gid }),
    })
    this.#child = child
    this.#spawnedAt = performance.now()
    const stopSignal = spec.stopSignal ?? 'SIGTERM'
    if (child.pid !== undefined) this.#context.ledger.add(spec.name, child.pid, stopSignal)
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (chunk: Buffer) => this.#context.log.write(chunk))
    this.#exited = new Promise((resolve) => {
      const ended = (how: string) => {
        if (this.#child === child) this.#child = undefined
        if (child.pid !== undefined) this.#context.ledger.remove(child.pid)
        resolve()
        this.#onEnd(how)
      }
      child.once('error', (error) => {
        this.#context.log.write(Buffer.from(`${error.message}\n`))
        ended(error.message)
      })
      child.once('exit', (code, signal) => ended(signal ?? `code ${code}`))
    })
  }

  #onEnd(how: string): void {
    if (!this.#wanted) return
    const livedMs = performance.now() - this.#spawnedAt
    this.#failures = livedMs > healthyAfterMs ? 0 : this.#failures + 1
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, this.#failures - 1))
    this.#context.say(`${this.spec.name} ended (${how}), starting it again.`)
    this.#respawn = setTimeout(() => {
      this.#spawn().catch((error: Error) => this.#onEnd(error.message))
    }, delayMs)
  }
}
