import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { findBacking } from '@looptide/backing/programs/obtain'
import type { Program, ProgramName } from '@looptide/backing/programs/programs'
import type { Account } from '@looptide/backing/programs/run-as'
import { killTree, signalTree } from './process-tree.ts'

/** A server that a test can stop, kill and restart on the same port with the same data. */
export interface Backing {
  url: string
  stop(): Promise<void>
  kill(): void
  restart(): Promise<void>
  /** Starts it again if it has exited, as a supervisor would. */
  revive(): Promise<void>
  /** Suspends all its processes until `thaw`. Connections stay open. */
  freeze(): void
  thaw(): void
}

/** How to run one server of our own. */
export interface LocalServer {
  program: ProgramName
  args: string[]
  port: number
  account?: Account | undefined
  /** Command prefix that enters another namespace. It also sets the account. */
  enter?: readonly string[] | undefined
  /** SIGINT for Postgres, whose SIGTERM waits for clients to leave. */
  stopSignal?: NodeJS.Signals
  stopTimeoutMs?: number
  /** Resolves once the server accepts requests. Default: once its port is open. */
  ready?: () => Promise<void>
}

const startTimeoutMs = 20_000
const settleTimeoutMs = 5000
const pdeathsig = '/usr/bin/setpriv'

let dockerAnswers: boolean | undefined

/** Whether a Docker engine answers on this machine. `TESTKIT_BACKING=local` skips the question. */
export function hasDocker(): boolean {
  if (process.env.TESTKIT_BACKING === 'local') return false
  dockerAnswers ??=
    spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore', timeout: 5000 })
      .status === 0
  return dockerAnswers
}

/** Runs a program of the tests, such as `curl`, and returns its output. Rejects if it fails or takes longer than a minute. */
export async function runProgram(name: ProgramName, args: readonly string[]): Promise<string> {
  const found = foundOrThrow(name)
  const { stdout } = await promisify(execFile)(found.path, args, {
    env: { ...process.env, ...found.env },
    timeout: 60_000,
  })
  return stdout
}

function foundOrThrow(name: ProgramName): Program {
  const found = findBacking(name)
  if (found !== undefined) return found
  throw new Error(`${name} is not on this machine: run \`npm test\` once, it fetches what tests need.`)
}

/** Runs a server as a child of this process. It ends with this process, even after kill -9. */
export class LocalProcess {
  readonly server: LocalServer
  #child: ChildProcess | undefined
  #output = ''

  constructor(server: LocalServer) {
    this.server = server
  }

  /** Starts the server. Retries an early exit: a killed predecessor may still hold the port or memory. */
  async start(): Promise<void> {
    const giveUpAt = performance.now() + settleTimeoutMs
    for (;;) {
      const child = this.#spawn()
      try {
        await this.#waitUntilReady(child)
        return
      } catch (error) {
        const ended = child.exitCode !== null || child.signalCode !== null
        if (!ended || performance.now() > giveUpAt) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  #spawn(): ChildProcess {
    const { program, args, account, enter = [] } = this.server
    const found = foundOrThrow(program)
    // The kernel sends the signal when the parent dies, so a killed test run leaves no server behind.
    const tether = existsSync(pdeathsig) ? [pdeathsig, '--pdeathsig', 'KILL'] : []
    const command = [...enter, ...tether, found.path]
    const child = spawn(command[0] ?? found.path, [...command.slice(1), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...found.env },
      cwd: '/',
      ...(account === undefined || enter.length > 0 ? {} : { uid: account.uid, gid: account.gid }),
    })
    this.#child = child
    this.#output = ''
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-4000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => keep(Buffer.from(error.message)))
    return child
  }

  async stop(): Promise<void> {
    await this.#end(this.server.stopSignal ?? 'SIGTERM')
  }

  /** Kills all its processes: those of Postgres for each connection would answer for a moment after their parent's end. */
  kill(): void {
    const child = this.#child
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) killTree(child.pid)
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  async revive(): Promise<void> {
    const hasEnded = this.#child?.exitCode !== null || this.#child.signalCode !== null
    if (hasEnded) await this.start()
  }

  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.#signalAll('SIGCONT')
  }

  #signalAll(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid !== undefined) signalTree(pid, signal)
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    if (child.signalCode !== null) return
    child.kill(signal)
    const force = setTimeout(() => child.kill('SIGKILL'), this.server.stopTimeoutMs ?? 10_000)
    await exited
    clearTimeout(force)
  }

  async #waitUntilReady(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + startTimeoutMs
    for (;;) {
      if (child.exitCode !== null || child.pid === undefined) {
        throw new Error(`${this.server.program} did not start:\n${this.#output}`)
      }
      try {
        await (this.server.ready?.() ?? portAnswers(this.server.port))
        return
      } catch (error) {
        if (performance.now() > deadline) {
          throw new Error(`${this.server.program} does not respond:\n${this.#output}`, { cause: error })
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/** Resolves when something accepts connections on the loopback port, rejects when nothing does. */
function portAnswers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

/** The backing of a local server. `stop` also deletes its folder. */
export function localBacking(server: LocalProcess, url: string, folder: string): Backing {
  return {
    url,
    kill: () => server.kill(),
    restart: () => server.restart(),
    revive: () => server.revive(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Stop, kill and restart of a container whose host port is fixed. */
export function containerBacking(
  container: { getId(): string; stop(): Promise<unknown> },
  port: number,
  url: string,
  ready: () => Promise<void> = () => portAnswers(port),
): Backing {
  const docker = (...args: string[]) =>
    execFileSync('docker', [...args, container.getId()], { stdio: 'ignore' })
  return {
    url,
    stop: async () => {
      await container.stop()
    },
    kill: () => {
      docker('kill')
    },
    revive: async () => {
      docker('start')
    },
    freeze: () => {
      docker('pause')
    },
    thaw: () => {
      docker('unpause')
    },
    restart: async () => {
      docker('restart', '--time', '10')
      const deadline = performance.now() + startTimeoutMs
      for (;;) {
        try {
          return await ready()
        } catch (error) {
          if (performance.now() > deadline) throw error
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}
