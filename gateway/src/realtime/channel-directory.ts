import type { StreamStatus } from '@looptide/contracts/http/channels'
import type { TopicName } from './topic/topic-name.ts'

/** A JSON payload in parts. `shared` holds the same bytes for every client and is never copied. */
export interface SharedJson {
  head: string
  shared: Buffer
  tail: string
}

/** What the hub reads about TV channels. It is answered from memory, so a join costs the same at any number of viewers. */
export interface ChannelDirectory {
  /** A promise only for a channel that is not in memory. True while the scheduler is unreachable, so that viewers can join. */
  exists(channelId: string): boolean | Promise<boolean>
  /** The payload of a topic's `snapshot` push; null when it is not known yet. */
  snapshot(topic: TopicName): SharedJson | null
  timeline(channelId: string): { timelineVersion: number; status: StreamStatus } | null
}
