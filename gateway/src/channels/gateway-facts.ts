import type { ChannelFacts, SharedJson } from '../realtime/channel-facts.ts'
import type { TopicName } from '../realtime/topic-name.ts'
import type { ChannelStates } from './channel-states.ts'
import type { ChatMarks } from './chat-marks.ts'
import type { ViewerCounter } from './viewer-counts.ts'

const NOTHING = Buffer.alloc(0)

/** What the hub tells an arrival, put together from what the gateway holds in memory. */
export class GatewayFacts implements ChannelFacts {
  readonly #states: ChannelStates
  readonly #marks: ChatMarks
  readonly #viewers: () => Pick<ViewerCounter, 'total'>

  constructor(states: ChannelStates, marks: ChatMarks, viewers: () => Pick<ViewerCounter, 'total'>) {
    this.#states = states
    this.#marks = marks
    this.#viewers = viewers
  }

  exists(channelId: string): boolean | Promise<boolean> {
    return this.#states.exists(channelId)
  }

  snapshot({ kind, id }: TopicName): SharedJson | null {
    if (kind === 'stream') return this.#states.shared(id, `,"viewers":${this.#viewers().total(id)}`)
    const lastSeq = kind === 'chat' ? this.#marks.lastSeq(id) : null
    return lastSeq === null ? null : { head: `{"lastSeq":${lastSeq}}`, shared: NOTHING, tail: '' }
  }

  timeline(channelId: string): ReturnType<ChannelFacts['timeline']> {
    const state = this.#states.get(channelId)
    return state === null ? null : { timelineVersion: state.timelineVersion, status: state.status }
  }
}
