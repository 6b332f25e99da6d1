import type { StreamStatus } from '@looptide/contracts/http/channels'
import type { TopicName } from './topic-name.ts'

/** A payload's JSON in pieces: the large one in the middle is the same bytes for every arrival, and is never copied. */
export interface SharedJson {
  head: string
  shared: Buffer
  tail: string
}

/** What the hub asks about channels. Answers come from memory, so that an arrival costs the same for all. */
export interface ChannelFacts {
  /** A promise only for a channel nobody asked about before. When nobody can tell, true: keep the door open. */
  exists(channelId: string): boolean | Promise<boolean>
  /** The payload of a topic's `snapshot`, or null when it is not known (yet). */
  snapshot(topic: TopicName): SharedJson | null
  timeline(channelId: string): { timelineVersion: number; status: StreamStatus } | null
}
