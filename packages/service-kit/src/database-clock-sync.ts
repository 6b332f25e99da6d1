import { type Kysely, sql } from 'kysely'
import type { Logger } from './logger.ts'
import { pause } from './nats.ts'
import type { StationClock } from './station-clock.ts'

const LOOK_MS = 10_000

/** Compares a process's clock with the database's, now and then. */
export class DatabaseClockSync {
  readonly #deps: { db: Kysely<unknown>; clock: StationClock; logger: Logger }
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: { db: Kysely<unknown>; clock: StationClock; logger: Logger }) {
    this.#deps = deps
  }

  /** Looks once before it resolves, if the database is there. */
  async start(): Promise<void> {
    await this.#look()
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await pause(LOOK_MS, this.#stop.signal)
      if (!this.#stop.signal.aborted) await this.#look()
    }
  }

  async #look(): Promise<void> {
    const { db, clock, logger } = this.#deps
    try {
      const askedAtMs = clock.now()
      const { rows } = await sql<{ nowMs: number }>`
        select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`.execute(db)
      const errorMs = clock.adjust(rows[0]?.nowMs ?? askedAtMs, askedAtMs)
      if (errorMs !== 0) logger.warn({ errorMs }, 'this machine’s clock is wrong: the database’s counts')
    } catch (error) {
      logger.debug({ err: error }, 'the clock could not be compared')
    }
  }
}
