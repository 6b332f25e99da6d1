import { Type } from 'typebox'
import { Instant, Nullable, RestrictionType, Role, Uuid } from '../common.ts'
import { auditEvent, event, push } from '../event.ts'
import { OutdatedSession, Profile } from '../http/users.ts'
import { topics } from '../realtime.ts'
import { SERVICES } from '../service-names.ts'

/** Every process that checks access tokens, except auth. */
const TOKEN_CHECKERS = [...SERVICES.filter((name) => name !== 'auth'), 'gateway'] as const

/** The events of auth. */
export const authEvents = [
  event('auth.user.registered.v1', {
    data: Type.Object({ userId: Uuid, profile: Profile }),
    consumers: ['chat', 'audience'],
  }),
  /** `deletesMessages`: the owner asked to delete the account's chat messages too. */
  event('auth.user.deleted.v1', {
    data: Type.Object({ userId: Uuid, deletesMessages: Type.Optional(Type.Boolean()) }),
    consumers: ['catalogue', 'chat', 'audience', 'admin-audit'],
  }),
  event('auth.profile.updated.v1', {
    data: Type.Object({ userId: Uuid, profile: Profile }),
    consumers: ['chat', 'audience'],
  }),
  event('auth.role.changed.v1', {
    data: Type.Object({ userId: Uuid, role: Role }),
    listeners: TOKEN_CHECKERS,
    push: ({ userId, role }) => [push('user', topics.user(userId), 'role', { role })],
  }),
  event('auth.user.restricted.v1', {
    data: Type.Object({
      userId: Uuid,
      restrictionId: Uuid,
      restrictionType: RestrictionType,
      reason: Type.String(),
      expiresAt: Nullable(Instant),
    }),
    consumers: ['catalogue', 'chat', 'audience', 'admin-audit'],
    push: ({ userId, restrictionType, reason, expiresAt }) => [
      push('user', topics.user(userId), 'restricted', { restrictionType, reason, expiresAt }),
    ],
  }),
  event('auth.user.unrestricted.v1', {
    data: Type.Object({
      userId: Uuid,
      restrictionId: Uuid,
      restrictionType: RestrictionType,
    }),
    consumers: ['catalogue', 'chat', 'audience'],
    push: ({ userId, restrictionType }) => [
      push('user', topics.user(userId), 'unrestricted', { restrictionType }),
    ],
  }),
  /**
   * Sessions that ended, and `outdated` ones: they continue, but their tokens below a generation are refused. `untilMs`:
   * when the last of these access tokens expires (epoch ms).
   */
  event('auth.session.revoked.v1', {
    data: Type.Object({
      userId: Uuid,
      sessionIds: Type.Array(Uuid, { maxItems: 100 }),
      untilMs: Type.Integer(),
      outdated: Type.Optional(Type.Array(OutdatedSession, { maxItems: 100 })),
    }),
    consumers: ['audience'],
    listeners: TOKEN_CHECKERS,
    // No push: the hub notifies the session's sockets before it closes them.
  }),
  /** `untilMs`: when the last access token signed with this key expires (epoch ms). */
  event('auth.key.revoked.v1', {
    data: Type.Object({ kid: Type.String({ maxLength: 64 }), untilMs: Type.Integer() }),
    listeners: TOKEN_CHECKERS,
  }),
  auditEvent('auth'),
] as const
