import type { PresenceChange } from './presence.ts'
import type { Spoken } from './spoken.ts'
import type { Topic } from './topic.ts'

/** What the hub tells of its topics, for the members whose sockets are with other gateways. */
export interface TopicPeers {
  /** The topic has its first member here, or has lost its last. */
  opened(topic: Topic): void
  closed(topic: Topic): void
  /** A client of this gateway broadcast to the topic of this address (prefix included), which may have no members here. */
  spoke(address: string, spoken: Spoken): void
  /** A member here wants to know who is there. */
  presenceWanted(topic: Topic): void
  /** Members here came, went, or said something else of themselves. */
  presenceChanged(topic: Topic, change: PresenceChange): void
}

const nothing = (): void => undefined

/** A hub that is the only one. */
export const noPeers: TopicPeers = {
  opened: nothing,
  closed: nothing,
  spoke: nothing,
  presenceWanted: nothing,
  presenceChanged: nothing,
}
