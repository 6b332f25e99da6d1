import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/runner/ports/free-port'
import { LocalProcess } from './backing.ts'

/** JetStream's folder for the default account. */
const STREAMS = ['jetstream', '$G', 'streams']

/** A NATS server whose store can be reset to an earlier state, as after a power cut. */
export class NatsStore {
  readonly url: string
  readonly #server: LocalProcess
  readonly #folder: string
  readonly #saved: string

  constructor(server: LocalProcess, port: number, folder: string) {
    this.#server = server
    this.url = `nats://127.0.0.1:${port}`
    this.#folder = join(folder, 'store')
    this.#saved = join(folder, 'saved')
  }

  static async start(extraArgs: readonly string[] = []): Promise<NatsStore> {
    const port = await freePort()
    const folder = await mkdtemp(join(tmpdir(), 'looptide-store-'))
    const args = ['--addr', '127.0.0.1', '--port', String(port), '--jetstream']
    const server = new LocalProcess({
      program: 'nats-server',
      args: [...args, '--store_dir', join(folder, 'store'), ...extraArgs],
      port,
    })
    await server.start()
    return new NatsStore(server, port, folder)
  }

  /** Saves the present state of the disk and restarts the server. */
  async save(): Promise<void> {
    await this.#server.stop()
    await rm(this.#saved, { recursive: true, force: true })
    await cp(this.#folder, this.#saved, { recursive: true })
    await this.#server.start()
  }

  /**
   * Stops the server, discards changes since `save` (the messages of all streams, and with `all` their consumers' positions),
   * and restarts it.
   */
  async loseSinceSaved(what: 'messages' | 'all', streams: readonly string[]): Promise<void> {
    await this.#server.stop()
    if (what === 'all') {
      await rm(this.#folder, { recursive: true })
      await cp(this.#saved, this.#folder, { recursive: true })
    } else {
      for (const stream of streams) {
        const messages = join(...STREAMS, stream, 'msgs')
        if (!existsSync(join(this.#saved, messages))) continue
        await rm(join(this.#folder, messages), { recursive: true, force: true })
        await cp(join(this.#saved, messages), join(this.#folder, messages), { recursive: true })
      }
    }
    await this.#server.start()
  }

  /** Empties the file of every consumer of a stream, as a power cut shortly after their creation would. */
  async emptyConsumerFiles(stream: string): Promise<void> {
    await this.#server.stop()
    const consumers = join(this.#folder, ...STREAMS, stream, 'obs')
    for (const name of await readdir(consumers)) await truncate(join(consumers, name, 'meta.inf'))
    await this.#server.start()
  }

  /** Deletes all data. */
  async wipe(): Promise<void> {
    await this.#server.stop()
    await rm(this.#folder, { recursive: true, force: true })
    await this.#server.start()
  }

  async restart(): Promise<void> {
    this.#server.kill()
    await this.#server.restart()
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    await rm(join(this.#folder, '..'), { recursive: true, force: true })
  }
}
