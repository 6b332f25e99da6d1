import type { Identity, IdentityChecker } from './identity.ts'
import type { TopicKind, TopicName } from './topic-name.ts'

/** What is allowed on a kind of topic. */
export interface TopicRule {
  /** Open to visitors who are not signed in: a membership then does not end with a token. */
  isPublic: boolean
  mayEnter: (topic: TopicName, identity: Identity | null, identities: IdentityChecker) => boolean
  /** What becomes of a member's broadcast: sent on to the others, taken as a question to us, or refused. */
  broadcasts: 'relay' | 'requests' | 'none'
  presence: boolean
}

const anyone = (): boolean => true

/** Viewers are many and strangers to each other: only topics of one person, or of the admins, let members speak. */
export const TOPIC_RULES: Record<TopicKind, TopicRule> = {
  stream: { isPublic: true, mayEnter: anyone, broadcasts: 'requests', presence: false },
  chat: { isPublic: true, mayEnter: anyone, broadcasts: 'none', presence: false },
  station: { isPublic: true, mayEnter: anyone, broadcasts: 'none', presence: false },
  guide: { isPublic: true, mayEnter: anyone, broadcasts: 'none', presence: false },
  user: {
    isPublic: false,
    mayEnter: ({ id }, identity) => identity?.userId === id,
    broadcasts: 'relay',
    presence: true,
  },
  admin: {
    isPublic: false,
    mayEnter: (_topic, identity, identities) => identity !== null && identities.isAdmin(identity),
    broadcasts: 'relay',
    presence: true,
  },
  moderation: {
    isPublic: false,
    mayEnter: (_topic, identity, identities) => identity !== null && identities.isModerator(identity),
    broadcasts: 'none',
    presence: false,
  },
}

/** Topics that only some roles may enter, by kind: memberships are checked again when a role changes. */
export const ROLE_TOPICS = ['admin', 'moderation'] as const satisfies readonly TopicKind[]
export type RoleTopic = (typeof ROLE_TOPICS)[number]
/** What a user without the role was refused on a topic. */
export type RoleAttempt = 'join' | 'broadcast'

/** Whether a member could still enter the topic now. */
export const mayStay = (
  { topic, identity }: { topic: { name: TopicName }; identity: Identity | null },
  identities: IdentityChecker,
): boolean => TOPIC_RULES[topic.name.kind].mayEnter(topic.name, identity, identities)
