import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { LRUCache } from 'lru-cache'

interface LastMessageSeqsDeps {
  chatUrl: string
  logger: Logger
  /** Called when a sequence number was fetched from chat, rather than read from an event. */
  onFetched: (channelId: string) => void
}

const TIMEOUT_MS = 3000
const MAX_CHANNELS = 2000

/**
 * The sequence number of each channel's newest chat message. Clients compare it with theirs to detect missed messages. It
 * is fetched from chat once per channel and then updated by events.
 */
export class LastMessageSeqs {
  readonly #deps: LastMessageSeqsDeps
  readonly #lastSeq = new LRUCache<string, number>({ max: MAX_CHANNELS })
  readonly #fetching = new Set<string>()

  constructor(deps: LastMessageSeqsDeps) {
    this.#deps = deps
  }

  /** Null when it is not known yet. It is then fetched in the background. */
  get(channelId: string): number | null {
    const known = this.#lastSeq.get(channelId)
    if (known === undefined) void this.#fetch(channelId, false)
    return known ?? null
  }

  /** Updates the number of a known channel from an event. */
  update(channelId: string, seq: number): void {
    if (seq > (this.#lastSeq.get(channelId) ?? Number.POSITIVE_INFINITY)) this.#lastSeq.set(channelId, seq)
  }

  /** Fetches the numbers again, and reports each even if it did not change. For use after events may have been missed. */
  async refresh(channelIds: Iterable<string>): Promise<void> {
    await Promise.all(Array.from(channelIds, (channelId) => this.#fetch(channelId, true)))
  }

  /** Fetches the numbers again, and reports those that a missed event has changed. */
  async verify(channelIds: Iterable<string>): Promise<void> {
    for (const channelId of channelIds) await this.#fetch(channelId, false)
  }

  async #fetch(channelId: string, reportAlways: boolean): Promise<void> {
    if (this.#fetching.has(channelId)) return
    this.#fetching.add(channelId)
    try {
      const url = `${this.#deps.chatUrl}/api/chat/channels/${encodeURIComponent(channelId)}/messages?limit=1`
      const response = await internalFetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body = (await response.json()) as { lastSeq?: unknown } | null
      const lastSeq = body?.lastSeq
      if (!response.ok || typeof lastSeq !== 'number') throw new Error(`chat responded ${response.status}`)
      this.#store(channelId, lastSeq, reportAlways)
    } catch (error) {
      this.#deps.logger.debug({ err: error, channelId }, 'last chat message fetch failed')
    } finally {
      this.#fetching.delete(channelId)
    }
  }

  #store(channelId: string, lastSeq: number, reportAlways: boolean): void {
    const known = this.#lastSeq.get(channelId)
    this.#lastSeq.set(channelId, Math.max(lastSeq, known ?? 0))
    if (reportAlways || known === undefined || lastSeq > known) this.#deps.onFetched(channelId)
  }
}
