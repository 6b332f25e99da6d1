import type { MemberBroadcast } from './member-broadcast.ts'
import type { PresenceChange } from './presence.ts'
import type { Topic } from './topic.ts'

/** Connects the topics of this gateway with the members of the same topics at other gateways. */
export interface TopicPeers {
  /** The topic has its first member at this gateway. */
  topicOpened(topic: Topic): void
  /** The topic has lost its last member at this gateway. */
  topicClosed(topic: Topic): void
  /** Sends a client's broadcast to the other gateways. The topic may have no members at this one. */
  relayBroadcast(topicKey: string, broadcast: MemberBroadcast): void
  /** Requests the presence state of the other gateways, for a member that enabled presence. */
  requestPresence(topic: Topic): void
  /** Sends presence changes of this gateway's members to the other gateways. */
  presenceChanged(topic: Topic, change: PresenceChange): void
}

const noop = (): void => undefined

/** For a hub without other gateways. */
export const noPeers: TopicPeers = {
  topicOpened: noop,
  topicClosed: noop,
  relayBroadcast: noop,
  requestPresence: noop,
  presenceChanged: noop,
}
