import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gatewayNodeArgs } from '@looptide/runner/processes/services'

export type Mode = 'hub' | 'bare' | 'bun'

/** CPU ms used so far and resident KiB, from the operating system. */
export interface Usage {
  cpuMs: number
  rssKib: number
}

/** Heap in use after a forced collection. */
export interface Memory {
  heapKib: number
  externalKib: number
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const forkNode = (mode: Mode, authUrl: string): ChildProcess =>
  fork(fileOf('./server.ts'), [mode, authUrl], { execArgv: [...gatewayNodeArgs, '--expose-gc'] })

/** The program comes with the package of this platform, on which the package `bun` depends. Its install script is not run. */
function forkBun(): ChildProcess {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('bun/package.json'))
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
  const execPath = resolve(`@oven/bun-${process.platform}-${arch}/bin/bun`)
  return fork(fileOf('./bun-server.ts'), { execPath, execArgv: [] })
}

/** The server process and the connection that sends it messages. */
export class ServerUnderTest {
  readonly port: number
  readonly feed: Socket
  readonly #child: ChildProcess

  constructor(child: ChildProcess, port: number, feed: Socket) {
    this.#child = child
    this.port = port
    this.feed = feed
  }

  static async start(mode: Mode, authUrl: string): Promise<ServerUnderTest> {
    const child = mode === 'bun' ? forkBun() : forkNode(mode, authUrl)
    const { port, feedPort } = await new Promise<{ port: number; feedPort: number }>((resolve, reject) => {
      child.once('message', (message) => resolve(message as { port: number; feedPort: number }))
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    })
    const feed = connect({ port: feedPort, host: '127.0.0.1', noDelay: true })
    await new Promise<void>((resolve) => feed.once('connect', () => resolve()))
    return new ServerUnderTest(child, port, feed)
  }

  /** From /proc (see proc(5)): user and system time in ticks of 10 ms. */
  usage(): Usage {
    const folder = `/proc/${this.#child.pid}`
    const fields = readFileSync(`${folder}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`${folder}/status`, 'utf8'))?.[1]
    return { cpuMs: ticks * 10, rssKib: Number(rss) }
  }

  /** Collects garbage, then measures. */
  async memory(): Promise<Memory> {
    const answer = new Promise<Memory>((resolve) =>
      this.#child.once('message', (it) => resolve(it as Memory)),
    )
    this.#child.send('memory')
    return answer
  }

  async stop(): Promise<void> {
    this.feed.destroy()
    const exited = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill()
    await exited
  }
}
