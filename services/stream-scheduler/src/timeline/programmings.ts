import type { ChannelRow, Store } from '../db/schema.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { LoopProgramming } from './loop-programming.ts'
import { type LoopCache, loadItems } from './loop-repository.ts'
import type { Programming, ReplanMode } from './programming.ts'

/** The programming of each channel: its schedule if one is published, else its playlist in a loop. */
export class Programmings {
  readonly #loops: LoopCache
  readonly #schedules: ScheduleReader

  constructor(loops: LoopCache, schedules: ScheduleReader) {
    this.#loops = loops
    this.#schedules = schedules
  }

  /** Maximum length (ms) of the videos that the default channel plays without a playlist. */
  get fallbackMaxMs(): number {
    return this.#loops.fallbackMaxMs
  }

  /** For a change: from what is stored now. `db` is the transaction that holds the channel's lock. */
  async current(db: Store, channel: ChannelRow, mode: ReplanMode): Promise<Programming> {
    this.#loops.invalidate(channel.id)
    if (channel.scheduleVersion > 0) return this.#schedules.programming(db, channel, mode)
    return new LoopProgramming(channel, await loadItems(db, channel, this.fallbackMaxMs), mode)
  }

  /** For an extension, which may use a cached loop. */
  async cached(db: Store, channel: ChannelRow): Promise<Programming> {
    if (channel.scheduleVersion > 0) return this.#schedules.programming(db, channel, 'edit')
    return new LoopProgramming(channel, await this.#loops.items(db, channel), 'edit')
  }
}
