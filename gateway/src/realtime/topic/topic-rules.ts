import type { Permission } from '@looptide/contracts/permissions'
import type { MemberMessages } from '@looptide/contracts/realtime'
import type { Identity, IdentityChecker } from '../identity.ts'
import type { TopicKind, TopicName } from './topic-name.ts'

/** The permissions of a kind of topic. */
interface TopicRule {
  /** Visitors without a session may join. A membership then does not end with a token. */
  isPublic: boolean
  mayJoin: (topic: TopicName, identity: Identity | null, identities: IdentityChecker) => boolean
  /** Handling of a member's broadcast: relayed to the other members, answered as a request, or refused. */
  broadcasts: 'relay' | 'requests' | 'none'
  presence: boolean
}

const anyone = (): boolean => true

const withPermission =
  (permission: Permission): TopicRule['mayJoin'] =>
  (_topic, identity, identities) =>
    identity !== null && identities.may(identity, permission)

/** Only topics of one user or of the dashboard relay broadcasts. Topics with many viewers do not. */
export const TOPIC_RULES: Record<TopicKind, TopicRule> = {
  stream: { isPublic: true, mayJoin: anyone, broadcasts: 'requests', presence: false },
  chat: { isPublic: true, mayJoin: anyone, broadcasts: 'none', presence: false },
  station: { isPublic: true, mayJoin: anyone, broadcasts: 'none', presence: false },
  guide: { isPublic: true, mayJoin: anyone, broadcasts: 'none', presence: false },
  user: {
    isPublic: false,
    mayJoin: ({ id }, identity) => identity?.userId === id,
    broadcasts: 'relay',
    presence: true,
  },
  admin: {
    isPublic: false,
    mayJoin: withPermission('dashboard:watch'),
    broadcasts: 'relay',
    presence: true,
  },
  audit: {
    isPublic: false,
    mayJoin: withPermission('audit:read'),
    broadcasts: 'none',
    presence: false,
  },
  moderation: {
    isPublic: false,
    mayJoin: withPermission('submissions:review'),
    broadcasts: 'none',
    presence: false,
  },
}

/** Kinds of topics that require a permission. Their memberships are checked again when a user's role changes. */
export const ROLE_TOPICS = ['admin', 'audit', 'moderation'] as const satisfies readonly TopicKind[]
export type RoleTopic = (typeof ROLE_TOPICS)[number]
/** The refused action of a user without the role on a topic. */
export type RoleAttempt = 'join' | 'broadcast'

/** The topic as one that needs a permission; undefined for all others. */
export const findRoleTopic = ({ kind }: TopicName): RoleTopic | undefined =>
  ROLE_TOPICS.find((roleTopic) => roleTopic === kind)

/** What a paired device says to the other sessions of its user. */
const DEVICE_EVENT: keyof MemberMessages['user'] = 'tv_here'

/**
 * Whether a sender may broadcast this event on a topic that relays. A paired device may only say that it is on: its session
 * has few rights, and what it sent by the name of a push would pass for one of the station in its user's other sessions.
 */
export const mayBroadcast = (identity: Identity | null, event: string): boolean =>
  identity?.isDevice !== true || event === DEVICE_EVENT

/** The text of that refusal. */
export const DEVICE_REFUSAL = 'A paired device may only say that it is on.'

/** Whether a member could join its topic now. */
export const isStillAllowed = (
  { topic, identity }: { topic: { name: TopicName }; identity: Identity | null },
  identities: IdentityChecker,
): boolean => TOPIC_RULES[topic.name.kind].mayJoin(topic.name, identity, identities)
