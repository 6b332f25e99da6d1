import type { StreamStatus } from '@looptide/contracts/http/channels'
import type { TopicName } from './topic-name.ts'

/** What the hub asks about channels. Answers come from memory, so that an arrival costs the same for all. */
export interface ChannelFacts {
  /** A promise only for a channel nobody asked about before. When nobody can tell, true: keep the door open. */
  exists(channelId: string): boolean | Promise<boolean>
  /** The payload of a topic's `snapshot` as JSON, or null when it is not known (yet). */
  snapshot(topic: TopicName): string | null
  timeline(channelId: string): { timelineVersion: number; status: StreamStatus } | null
}
