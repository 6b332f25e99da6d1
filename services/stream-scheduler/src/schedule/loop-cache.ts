import type { ChannelRow, Store } from '../db/schema.ts'
import { type LoopItem, loadItems } from './loop-repository.ts'

/**
 * Caches the loops of channels, so that an extension does not read a playlist of thousands again. An entry is valid for
 * one `loop_version`. The least recently used entries are dropped when there are more than `maxItems` items in total.
 */
export class LoopCache {
  /** See {@link loadFallbackItems} (ms). */
  readonly fallbackMaxMs: number
  readonly #entries = new Map<string, { loopVersion: number; items: LoopItem[] }>()
  readonly #maxItems: number
  #itemCount = 0

  constructor(fallbackMaxMs: number, maxItems = 400_000) {
    this.fallbackMaxMs = fallbackMaxMs
    this.#maxItems = maxItems
  }

  /** The channel's items, from the cache or the database. `db` is the transaction that holds the channel's lock. */
  async items(db: Store, channel: Pick<ChannelRow, 'id' | 'loopVersion'>): Promise<LoopItem[]> {
    const cached = this.#entries.get(channel.id)
    if (cached !== undefined && cached.loopVersion === channel.loopVersion) {
      this.#entries.delete(channel.id)
      this.#entries.set(channel.id, cached)
      return cached.items
    }
    this.invalidate(channel.id)
    const items = await loadItems(db, channel, this.fallbackMaxMs)
    this.#entries.set(channel.id, { loopVersion: channel.loopVersion, items })
    this.#itemCount += items.length
    for (const id of this.#entries.keys()) {
      if (this.#itemCount <= this.#maxItems) break
      this.invalidate(id)
    }
    return items
  }

  invalidate(channelId: string): void {
    this.#itemCount -= this.#entries.get(channelId)?.items.length ?? 0
    this.#entries.delete(channelId)
  }
}
