import type { ChannelRow, Store } from './db/schema.ts'
import type { LoopCache } from './schedule/loop-cache.ts'
import { loadItems } from './schedule/loop-repository.ts'
import { ScheduleProgramming } from './schedule/schedule-programming.ts'
import type { ScheduleReader } from './schedule/schedule-reader.ts'
import { TakeoverProgramming } from './takeover/takeover-programming.ts'
import { readTakeover, readTakeoverVideos } from './takeover/takeover-repository.ts'
import type { Programming, ProgrammingLoader, ReplanMode } from './timeline/programming.ts'

/** Loads the programming of each channel: its schedule if one is published, else its playlist in a loop, under a takeover. */
export class ChannelProgrammingLoader implements ProgrammingLoader {
  readonly #loops: LoopCache
  readonly #schedules: ScheduleReader
  readonly #now: () => number

  constructor(loops: LoopCache, schedules: ScheduleReader, now: () => number) {
    this.#loops = loops
    this.#schedules = schedules
    this.#now = now
  }

  get fallbackMaxMs(): number {
    return this.#loops.fallbackMaxMs
  }

  async current(db: Store, channel: ChannelRow, mode: ReplanMode): Promise<Programming> {
    this.#loops.invalidate(channel.id)
    const items = () => loadItems(db, channel, this.fallbackMaxMs)
    return this.#withTakeover(db, channel, await this.#own(db, channel, mode, items))
  }

  async cached(db: Store, channel: ChannelRow): Promise<Programming> {
    const items = () => this.#loops.items(db, channel)
    return this.#withTakeover(db, channel, await this.#own(db, channel, 'edit', items))
  }

  async #own(
    db: Store,
    channel: ChannelRow,
    mode: ReplanMode,
    items: () => ReturnType<typeof loadItems>,
  ): Promise<Programming> {
    if (channel.scheduleVersion > 0) return this.#schedules.programming(db, channel, mode)
    const material = await this.#schedules.loopMaterial(db, channel, await items())
    return new ScheduleProgramming(channel, material, mode)
  }

  async #withTakeover(db: Store, channel: ChannelRow, own: Programming): Promise<Programming> {
    const takeover = await readTakeover(db, channel.id, this.#now())
    if (takeover === undefined) return own
    const videoIds = takeover.items.map(({ videoId }) => videoId)
    return new TakeoverProgramming(channel, takeover, await readTakeoverVideos(db, videoIds), own)
  }
}
