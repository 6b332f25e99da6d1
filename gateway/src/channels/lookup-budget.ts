import { Channel } from '@looptide/contracts/http/channels'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { type BucketSize, LeakyBucket } from '../limits/leaky-bucket.ts'

/**
 * Rate of lookups of channels that are not in memory. A station has tens of channels, each of which is looked up once.
 * Ids made up by clients are unlimited.
 */
const LOOKUPS: BucketSize = { perSecond: 20, burst: 200 }
/** Age of the list of channels after which it is fetched again on demand, in ms. */
const LIST_TTL_MS = 1000
const TIMEOUT_MS = 3000

const ListedChannels = Type.Object({ items: Type.Array(Type.Pick(Channel, ['id'])) })

/** Decides whether a channel is looked up at the scheduler. */
export class LookupBudget {
  readonly #schedulerUrl: string
  readonly #now: () => number
  readonly #lookups: LeakyBucket
  #list: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>())
  #listedAtMs = Number.NEGATIVE_INFINITY

  /** `now`: wall clock, epoch ms. */
  constructor(schedulerUrl: string, now: () => number) {
    this.#schedulerUrl = schedulerUrl
    this.#now = now
    this.#lookups = new LeakyBucket(now())
  }

  /**
   * Whether this channel may be looked up. Above the rate, only ids on the list of active channels may, so that existing
   * channels are found even if clients make up ids. Never throws: while the scheduler is down the list is empty.
   */
  allows(channelId: string): true | Promise<boolean> {
    if (this.#lookups.add(1, LOOKUPS, this.#now())) return true
    return this.#activeChannels().then((ids) => ids.has(channelId))
  }

  #activeChannels(): Promise<ReadonlySet<string>> {
    if (this.#now() - this.#listedAtMs >= LIST_TTL_MS) {
      this.#listedAtMs = this.#now()
      this.#list = this.#fetchList()
    }
    return this.#list
  }

  async #fetchList(): Promise<ReadonlySet<string>> {
    try {
      const response = await internalFetch(`${this.#schedulerUrl}/api/channels`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const page: unknown = await response.json()
      return new Set(response.ok && Check(ListedChannels, page) ? page.items.map(({ id }) => id) : [])
    } catch {
      return new Set()
    }
  }
}
