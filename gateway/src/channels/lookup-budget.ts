import { Channel } from '@looptide/contracts/http/channels'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { type BucketSize, LeakyBucket } from '../limits/leaky-bucket.ts'

/**
 * Lookups of channels that are not in memory. A station has tens of channels, which are asked for once; ids that a client
 * makes up are without number.
 */
const LOOKUPS: BucketSize = { perSecond: 20, burst: 200 }
/** Age in ms after which the list of channels is fetched again, when it is needed. */
const LIST_MS = 1000
const TIMEOUT_MS = 3000

const ListedChannels = Type.Object({ items: Type.Array(Type.Pick(Channel, ['id'])) })

/** Decides whether the scheduler is asked for a channel. */
export class LookupBudget {
  readonly #schedulerUrl: string
  readonly #now: () => number
  readonly #lookups: LeakyBucket
  #listed: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>())
  #listedAtMs = Number.NEGATIVE_INFINITY

  /** `now`: wall clock, epoch ms. */
  constructor(schedulerUrl: string, now: () => number) {
    this.#schedulerUrl = schedulerUrl
    this.#now = now
    this.#lookups = new LeakyBucket(now())
  }

  /**
   * Whether this channel may be asked for. While too many are, only those on the list of active channels are: viewers find
   * their channel, whatever ids others make up. Nothing on an outage of the scheduler is thrown: the list is then empty.
   */
  allows(channelId: string): true | Promise<boolean> {
    if (this.#lookups.add(1, LOOKUPS, this.#now())) return true
    return this.#list().then((ids) => ids.has(channelId))
  }

  #list(): Promise<ReadonlySet<string>> {
    if (this.#now() - this.#listedAtMs >= LIST_MS) {
      this.#listedAtMs = this.#now()
      this.#listed = this.#fetch()
    }
    return this.#listed
  }

  async #fetch(): Promise<ReadonlySet<string>> {
    try {
      const response = await fetch(`${this.#schedulerUrl}/api/channels`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const page: unknown = await response.json()
      return new Set(response.ok && Check(ListedChannels, page) ? page.items.map(({ id }) => id) : [])
    } catch {
      return new Set()
    }
  }
}
