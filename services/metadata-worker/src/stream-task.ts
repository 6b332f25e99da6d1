import { connectionChanges, type NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { pause } from '@looptide/service-kit/time/pause'

const EVERY_MS = 30_000
const RETRY_MS = 500

interface StreamTaskOptions {
  nats: NatsConnection
  logger: Logger
  /** Default: 30 s. */
  everyMs?: number | undefined
  /** The log line of a run that throws. */
  failure: string
  /** Called when the connection to NATS ends and when it is restored: the streams may have lost messages meanwhile. */
  onInterruption: () => void
  /** One run. Returns false, or throws, if it must be repeated after 500 ms. */
  run: (signal: AbortSignal) => Promise<boolean>
}

/** Background work on a stream: runs at the start, after each reconnect to NATS, and at intervals. */
export class StreamTask implements Background {
  readonly #options: StreamTaskOptions
  readonly #stop = new AbortController()
  #wake = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: StreamTaskOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#running !== undefined) return
    void this.#watchConnection()
    this.#running = this.#repeat()
  }

  /** Resolves when the run in progress has ended. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #watchConnection(): Promise<void> {
    const { nats, onInterruption } = this.#options
    for await (const change of connectionChanges(nats)) {
      onInterruption()
      if (change === 'reconnect') this.#wake.abort()
    }
  }

  async #repeat(): Promise<void> {
    const { logger, everyMs = EVERY_MS, failure, run } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#wake = new AbortController()
      const isDone = await run(signal).catch((error: unknown) => {
        logger.warn({ err: error }, failure)
        return false
      })
      await pause(isDone ? everyMs : RETRY_MS, AbortSignal.any([signal, this.#wake.signal]))
    }
  }
}
