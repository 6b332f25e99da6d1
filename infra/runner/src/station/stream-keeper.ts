import { connectStreamAdmin, provision } from '@looptide/backing/nats/provision-streams'
import { connectionChanges } from '@looptide/service-kit/events/nats-client'
import { retryUntil } from '@looptide/service-kit/time/pause'

type Connection = Awaited<ReturnType<typeof connectStreamAdmin>>

/**
 * Creates the streams and durable consumers of a station that this process runs: at its start, and after each reconnect,
 * since NATS may have lost its data. In containers the migration step does this.
 */
export class StreamKeeper {
  readonly #nats: Connection
  readonly #say: (text: string) => void
  readonly #stop = new AbortController()
  #work: Promise<void> = Promise.resolve()

  constructor(nats: Connection, say: (text: string) => void) {
    this.#nats = nats
    this.#say = say
  }

  /** Resolves when the streams exist. */
  static async start(natsUrl: string, say: (text: string) => void): Promise<StreamKeeper> {
    const keeper = new StreamKeeper(await connectStreamAdmin(natsUrl), say)
    await keeper.#provision()
    void keeper.#watch()
    return keeper
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#nats.close()
    await this.#work
  }

  async #watch(): Promise<void> {
    for await (const change of connectionChanges(this.#nats)) {
      if (change !== 'reconnect') continue
      await this.#work
      this.#work = this.#provision()
    }
  }

  #provision(): Promise<void> {
    return retryUntil(
      () => provision(this.#nats),
      this.#stop.signal,
      (error, attempt) => {
        if (attempt === 3)
          this.#say(
            `NATS refuses to create streams: ${error instanceof Error ? error.message : String(error)}`,
          )
      },
    )
  }
}
