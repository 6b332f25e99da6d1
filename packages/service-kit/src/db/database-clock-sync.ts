import { type Kysely, sql } from 'kysely'
import type { Logger } from '../telemetry/logger.ts'
import { pause } from '../time/pause.ts'
import type { StationClock } from '../time/station-clock.ts'

const INTERVAL_MS = 10_000

/** Adjusts a process's clock to the database's clock every 10 s. */
export class DatabaseClockSync {
  readonly #deps: { db: Kysely<unknown>; clock: StationClock; logger: Logger }
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: { db: Kysely<unknown>; clock: StationClock; logger: Logger }) {
    this.#deps = deps
  }

  /** Compares once before it resolves, if the database is available. */
  async start(): Promise<void> {
    await this.#compare()
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await pause(INTERVAL_MS, this.#stop.signal)
      if (!this.#stop.signal.aborted) await this.#compare()
    }
  }

  async #compare(): Promise<void> {
    const { db, clock, logger } = this.#deps
    try {
      const askedAtMs = clock.now()
      const { rows } = await sql<{ nowMs: number }>`
        select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`.execute(db)
      const errorMs = clock.adjust(rows[0]?.nowMs ?? askedAtMs, askedAtMs)
      if (errorMs !== 0) logger.warn({ errorMs }, 'machine clock wrong, using database clock')
    } catch (error) {
      logger.debug({ err: error }, 'clock comparison failed')
    }
  }
}
