import type { ChannelDirectory, Snapshot } from '../realtime/channel-directory.ts'
import type { TopicName } from '../realtime/topic/topic-name.ts'
import type { ChannelStateCache } from './channel-state-cache.ts'
import type { LastMessageSeqs } from './last-message-seqs.ts'
import type { ViewerCounter } from './viewer-counter.ts'

/** The channel directory of the hub, read from the gateway's memory. */
export class MemoryChannelDirectory implements ChannelDirectory {
  readonly #states: ChannelStateCache
  readonly #lastMessageSeqs: LastMessageSeqs
  readonly #viewers: () => Pick<ViewerCounter, 'total'>

  constructor(
    states: ChannelStateCache,
    lastMessageSeqs: LastMessageSeqs,
    viewers: () => Pick<ViewerCounter, 'total'>,
  ) {
    this.#states = states
    this.#lastMessageSeqs = lastMessageSeqs
    this.#viewers = viewers
  }

  exists(channelId: string): boolean | Promise<boolean> {
    return this.#states.exists(channelId)
  }

  snapshot({ kind, id }: TopicName): Snapshot | null {
    if (kind === 'stream') return this.#states.snapshot(id, `,"viewers":${this.#viewers().total(id)}`)
    const lastSeq = kind === 'chat' ? this.#lastMessageSeqs.get(id) : null
    return lastSeq === null ? null : { head: `{"lastSeq":${lastSeq}`, shared: null, tail: '}' }
  }

  timeline(channelId: string): ReturnType<ChannelDirectory['timeline']> {
    const state = this.#states.get(channelId)
    return state === null ? null : { timelineVersion: state.timelineVersion, status: state.status }
  }
}
