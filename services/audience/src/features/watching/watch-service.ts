import type { WatchReport } from '@looptide/contracts/http/requests'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { NetworkKeys } from '../networks/network-keys.ts'
import { saveNetwork } from '../networks/network-repository.ts'
import { countWatching, watchedSince } from './watch-repository.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Votes need time watched within this time. Hours that began earlier do not count. */
const WATCH_WINDOW_MS = 24 * HOUR_MS
/**
 * A viewer who goes on watching has watched long enough within this time, too: the hours that leave the window have been
 * replaced before they do.
 */
const RENEWAL_WINDOW_MS = 22 * HOUR_MS
/** Shortest time between two reports that are asked for. */
const MIN_REPORT_MS = 1_000
/** Longest time between two reports that counts as watched: a minute, and what a slow network adds. */
const MAX_GAP_MS = 70_000

interface WatchDeps {
  db: Kysely<Database>
  minWatchMinutes: number
  now: () => number
}

/** Counts how long users watch in sync, because votes need it. */
export class WatchService {
  readonly #deps: WatchDeps

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  get neededMs(): number {
    return this.#deps.minWatchMinutes * MINUTE_MS
  }

  /**
   * Counts a report of a user's player; see {@link WatchReport}. Who may vote, also in the next hours, reports once an hour,
   * all others once a minute.
   */
  async report(userId: string, network: NetworkKeys): Promise<WatchReport> {
    const { db, now } = this.#deps
    await countWatching(db, userId, new Date(now()), MAX_GAP_MS)
    await saveNetwork(db, userId, network)
    const { neededMs } = this
    const missingMs = neededMs - (await this.#watchedMs(userId, RENEWAL_WINDOW_MS))
    return {
      watchedMs: await this.#watchedMs(userId, WATCH_WINDOW_MS),
      neededMs,
      nextAfterMs: missingMs > 0 ? Math.min(MINUTE_MS, Math.max(MIN_REPORT_MS, missingMs)) : HOUR_MS,
    }
  }

  /** How much watched time a user lacks for a vote, in ms. */
  async missingMs(userId: string): Promise<number> {
    const { neededMs } = this
    return neededMs === 0 ? 0 : Math.max(0, neededMs - (await this.#watchedMs(userId, WATCH_WINDOW_MS)))
  }

  #watchedMs(userId: string, windowMs: number): Promise<number> {
    const { db, now } = this.#deps
    return watchedSince(db, userId, new Date(now() - windowMs))
  }
}
