import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import { LocalProcess } from './backing.ts'
import { until } from './until.ts'

/** JetStream's folder for the default account. */
const STREAMS = ['jetstream', '$G', 'streams']

/** A NATS server whose store can be reset to an earlier state, as after a power cut. */
export class NatsStore {
  readonly url: string
  readonly #server: LocalProcess
  readonly #folder: string
  readonly #saved: string
  readonly #clients: NatsConnection[] = []

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

  /**
   * From now on, each restart waits until this client is connected again: the library drops a request of a client that is
   * not, which then fails only by its timeout, after seconds.
   */
  follow(client: NatsConnection): void {
    this.#clients.push(client)
  }

  async #start(): Promise<void> {
    await this.#server.start()
    const connected = (client: NatsConnection) =>
      until('the client is connected again', () => client.isClosed() || client.flush().then(() => true))
    await Promise.all(this.#clients.map(connected))
  }

  /** Saves the present state of the disk and restarts the server. */
  async save(): Promise<void> {
    await this.#server.stop()
    await rm(this.#saved, { recursive: true, force: true })
    await cp(this.#folder, this.#saved, { recursive: true })
    await this.#start()
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
    await this.#start()
  }

  /**
   * Waits until the position of a consumer is on disk with `seq` as its last acknowledged message. NATS writes it about ten
   * times a second; a server that is stopped earlier may have stored no position at all.
   */
  async waitForPosition(stream: string, durable: string, seq: number): Promise<void> {
    const file = join(this.#folder, ...STREAMS, stream, 'obs', durable, 'o.dat')
    await until(
      `the position of ${durable} is on disk`,
      async () => existsSync(file) && acknowledgedSeq(await readFile(file)) === seq,
    )
  }

  /** Empties the file of every consumer of a stream, as a power cut shortly after their creation would. */
  async emptyConsumerFiles(stream: string): Promise<void> {
    await this.#server.stop()
    const consumers = join(this.#folder, ...STREAMS, stream, 'obs')
    for (const name of await readdir(consumers)) await truncate(join(consumers, name, 'meta.inf'))
    await this.#start()
  }

  /** Deletes all data. */
  async wipe(): Promise<void> {
    await this.#server.stop()
    await rm(this.#folder, { recursive: true, force: true })
    await this.#start()
  }

  async restart(): Promise<void> {
    this.#server.kill()
    await this.#server.stop()
    await this.#start()
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    await rm(join(this.#folder, '..'), { recursive: true, force: true })
  }
}

/**
 * The last acknowledged sequence number of the stream in NATS's file of a consumer's state: two bytes, then numbers of
 * seven bits a byte, of which this is the second.
 */
function acknowledgedSeq(state: Buffer): number {
  const numbers: number[] = []
  let value = 0
  let factor = 1
  for (const byte of state.subarray(2)) {
    value += (byte & 0x7f) * factor
    factor *= 128
    if (byte < 0x80) {
      numbers.push(value)
      value = 0
      factor = 1
    }
  }
  return numbers[1] ?? 0
}
