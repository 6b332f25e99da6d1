import type { StreamStatus } from '@looptide/contracts/http/channels'
import type { TopicName } from './topic/topic-name.ts'

/** The payload of a `snapshot` push, a JSON object in parts. */
export interface Snapshot {
  head: string
  shared: SharedMember | null
  tail: string
}

/** A large member of a snapshot. It is left out for a socket that has this version of it. */
interface SharedMember {
  version: number
  /** The member's name as JSON, with the comma before and the colon after it. */
  name: string
  /** Its value as JSON: the same bytes for every client, never copied. */
  bytes: Buffer
}

/** What the hub reads about TV channels. It is answered from memory, so a join costs the same at any number of viewers. */
export interface ChannelDirectory {
  /** A promise only for a channel that is not in memory. True while the scheduler is unreachable, so that viewers can join. */
  exists(channelId: string): boolean | Promise<boolean>
  /** The payload of a topic's `snapshot` push; null when it is not known yet. */
  snapshot(topic: TopicName): Snapshot | null
  timeline(channelId: string): { timelineVersion: number; status: StreamStatus } | null
}
