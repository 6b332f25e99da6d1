import type { NowPlaying } from '@looptide/contracts/http/now-playing'
import type { ChannelStateCache } from '../channels/channel-state-cache.ts'
import type { ViewerCounter } from '../channels/viewer-counter.ts'
import { type ChannelFacts, nowPlayingOf, type Site, stationNumber } from './now-playing.ts'
import type { ListedChannel, SchedulerLists } from './scheduler-lists.ts'

interface NowPlayingDeps {
  site: Site
  lists: SchedulerLists
  states: Pick<ChannelStateCache, 'load' | 'get' | 'programmes'>
  counter: Pick<ViewerCounter, 'total'>
  /** Wall clock, epoch ms. */
  now: () => number
}

/** What is on, of each channel, from the gateway's memory. */
export class NowPlayingSource {
  readonly #deps: NowPlayingDeps

  constructor(deps: NowPlayingDeps) {
    this.#deps = deps
  }

  get site(): Site {
    return this.#deps.site
  }

  /** The active channel with this id, or with this number as `station.id`. */
  async find(idOrNumber: string): Promise<ListedChannel | undefined> {
    const channels = await this.#deps.lists.channels()
    return (
      channels.find(({ id }) => id === idOrNumber) ??
      channels.find(({ id }) => String(stationNumber(id)) === idOrNumber)
    )
  }

  async all(): Promise<NowPlaying[]> {
    const channels = await this.#deps.lists.channels()
    return Promise.all(channels.map((channel) => this.of(channel)))
  }

  /** All active channels with what is known of them. */
  async allFacts(): Promise<ChannelFacts[]> {
    const channels = await this.#deps.lists.channels()
    return Promise.all(channels.map((channel) => this.facts(channel)))
  }

  async of(channel: ListedChannel): Promise<NowPlaying> {
    const facts = await this.facts(channel)
    return nowPlayingOf(facts, this.#deps.site, this.#deps.now())
  }

  async facts(channel: ListedChannel): Promise<ChannelFacts> {
    const { states, lists, counter } = this.#deps
    const { id } = channel
    await states.load(id)
    const history = await lists.history(id, states.programmes(id)[0]?.id ?? null)
    return {
      channel,
      status: states.get(id)?.status ?? 'idle',
      programmes: states.programmes(id),
      viewers: counter.total(id),
      history,
    }
  }
}
