import type { Reaction } from '@looptide/contracts/realtime'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { ChannelDirectory } from '../channel-directory.ts'
import type { HubLimits } from '../hub-limits.ts'
import type { HubMetrics } from '../hub-metrics.ts'
import type { Identity, IdentityChecker } from '../identity.ts'
import type { ChangeBindings } from '../protocol/postgres-changes.ts'
import type { ChannelSocket, Membership } from '../topic/membership.ts'
import type { PresenceChange } from '../topic/presence.ts'
import type { Topic } from '../topic/topic.ts'
import type { TopicName } from '../topic/topic-name.ts'
import type { TopicPeers } from '../topic/topic-peers.ts'
import type { RoleAttempt, RoleTopic } from '../topic/topic-rules.ts'

/** What handlers use besides memberships. */
export interface HandlerDeps {
  readonly identities: IdentityChecker
  readonly channels: ChannelDirectory
  readonly peers: Pick<TopicPeers, 'relayBroadcast' | 'requestPresence'>
  readonly limits: Pick<HubLimits, 'maxJoins'>
  readonly metrics: Pick<HubMetrics, 'joins' | 'broadcastsDropped'>
  /** Whether at least one service that viewers depend on is healthy, from memory. */
  readonly isHealthy: () => boolean
  /** Called when a signed-in user is refused a topic because of their role. */
  readonly onRefusedRole: (
    identity: Identity,
    client: ClientNetwork,
    topic: RoleTopic,
    attempt: RoleAttempt,
  ) => void
  /** Counts a viewer's reaction. Returns why it is not counted, if it is not. */
  readonly addReaction: (socket: object, channelId: string, emoji: Reaction) => string | undefined
  /** Wall clock, epoch ms. */
  readonly now: () => number
}

/** What a join adds to a topic. */
export interface NewMember extends Pick<Membership, 'connection' | 'joinRef' | 'identity' | 'self' | 'ack'> {
  presenceKey: string
  bindings: ChangeBindings | null
}

/** What the handlers of client frames may do. */
export interface HandlerContext {
  readonly deps: HandlerDeps
  /** Adds a socket to a topic. `endsWithToken`: the membership ends when its access token expires. */
  addMember(name: TopicName, topicKey: string, member: NewMember, endsWithToken: boolean): Membership
  removeMember(membership: Membership): void
  /** Records that a socket belongs to a session, so that it is closed when the session is revoked. */
  bindSession(connection: ChannelSocket, identity: Identity): void
  /** Ends a membership by the server, with `phx_close` or `phx_error`. */
  closeChannel(membership: Membership, message: string, how: 'close' | 'error'): void
  /** Publishes a presence change; nothing for null. */
  publishPresence(topic: Topic, change: PresenceChange | null): void
}

/** A promise when the handler waits for something. Later frames of the socket are then queued. */
export type HandlerResult = undefined | Promise<void>
