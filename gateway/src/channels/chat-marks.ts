import type { Logger } from '@looptide/service-kit/logger'

export interface ChatMarksDeps {
  chatUrl: string
  logger: Logger
  /** Called when the newest message's number has been learnt other than by its event. */
  onLearnt: (channelId: string) => void
}

const TIMEOUT_MS = 3000
const MAX_CHANNELS = 2000

/**
 * The number of each channel's newest chat message: what a client needs to see whether it missed any.
 * Learnt from chat once per channel, then from the messages that pass by.
 */
export class ChatMarks {
  readonly #deps: ChatMarksDeps
  readonly #lastSeq = new Map<string, number>()
  readonly #asking = new Set<string>()

  constructor(deps: ChatMarksDeps) {
    this.#deps = deps
  }

  /** Null when not known yet; then it is asked for. */
  lastSeq(channelId: string): number | null {
    const known = this.#lastSeq.get(channelId)
    if (known === undefined) void this.#ask(channelId, false)
    return known ?? null
  }

  /** A message passed by. */
  saw(channelId: string, seq: number): void {
    if (seq > (this.#lastSeq.get(channelId) ?? Number.POSITIVE_INFINITY)) this.#lastSeq.set(channelId, seq)
  }

  /** Messages may have been missed: asks again and tells even if nothing changed. */
  async refresh(channelIds: Iterable<string>): Promise<void> {
    await Promise.all(Array.from(channelIds, (channelId) => this.#ask(channelId, true)))
  }

  /** Asks again for the channels somebody follows, and tells only of what had been missed. */
  async verify(channelIds: Iterable<string>): Promise<void> {
    for (const channelId of channelIds) await this.#ask(channelId, false)
  }

  async #ask(channelId: string, tellAlways: boolean): Promise<void> {
    if (this.#asking.has(channelId)) return
    this.#asking.add(channelId)
    try {
      const url = `${this.#deps.chatUrl}/api/chat/channels/${encodeURIComponent(channelId)}/messages?limit=1`
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body = (await response.json()) as { lastSeq?: unknown } | null
      const lastSeq = body?.lastSeq
      if (!response.ok || typeof lastSeq !== 'number') throw new Error(`chat answered ${response.status}`)
      this.#learn(channelId, lastSeq, tellAlways)
    } catch (error) {
      this.#deps.logger.debug({ err: error, channelId }, 'the newest chat message is not known')
    } finally {
      this.#asking.delete(channelId)
    }
  }

  #learn(channelId: string, lastSeq: number, tellAlways: boolean): void {
    const known = this.#lastSeq.get(channelId)
    const oldest = this.#lastSeq.keys().next()
    if (this.#lastSeq.size >= MAX_CHANNELS && !oldest.done) this.#lastSeq.delete(oldest.value)
    this.#lastSeq.set(channelId, Math.max(lastSeq, known ?? 0))
    if (tellAlways || known === undefined || lastSeq > known) this.#deps.onLearnt(channelId)
  }
}
