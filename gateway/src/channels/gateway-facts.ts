import type { ChannelFacts } from '../realtime/channel-facts.ts'
import type { TopicName } from '../realtime/topic-name.ts'
import type { ChannelStates } from './channel-states.ts'
import type { ChatMarks } from './chat-marks.ts'
import type { ViewerCounter } from './viewer-counts.ts'

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

  snapshot({ kind, id }: TopicName): string | null {
    if (kind === 'chat') {
      const lastSeq = this.#marks.lastSeq(id)
      return lastSeq === null ? null : `{"lastSeq":${lastSeq}}`
    }
    if (kind !== 'stream') return null
    const now = this.#states.json(id)
    return now === null ? null : `${now.slice(0, -1)},"viewers":${this.#viewers().total(id)}}`
  }

  timeline(channelId: string): ReturnType<ChannelFacts['timeline']> {
    const state = this.#states.get(channelId)
    return state === null ? null : { timelineVersion: state.timelineVersion, status: state.status }
  }
}
