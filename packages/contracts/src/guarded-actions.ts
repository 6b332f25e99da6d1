import type { Permission } from './permissions.ts'

/**
 * The dangerous actions that the guard of admin-audit counts, with the permission that each needs. Grants are stored
 * under these names and processes of other releases send them, so the names do not change. Their last part (`admin`,
 * `moderator`) is from before there were permissions and has no effect.
 */
export const GUARDED_ACTIONS = {
  'dead_letter.replay.admin': 'system:operate',
  'stream.reset.admin': 'channels:manage',
  'stream.takeover.moderator': 'takeovers:run',
  'user.password.admin': 'users:manage',
  'user.role.admin': 'users:manage',
  'user.sessions.admin': 'users:manage',
  'user.site_ban.admin': 'users:manage',
  'video.delete.admin': 'videos:edit',
  'video.purge.admin': 'videos:purge',
} as const satisfies Record<string, Permission>
export type GuardedAction = keyof typeof GUARDED_ACTIONS

/**
 * The guarded actions that can be undone (docs/decisions/0082). They count against a limit of their own: cleaning up after
 * an attack does not use up the dangerous actions.
 */
export const REVERSIBLE_ACTIONS: readonly string[] = [
  'user.site_ban.admin',
  'video.delete.admin',
] satisfies GuardedAction[]

/** Guarded actions of an admin in an hour. These are product rules: `RATE_LIMIT_FACTOR` does not apply. */
export const DANGEROUS_ACTIONS_PER_HOUR = 10
export const REVERSIBLE_ACTIONS_PER_HOUR = 60
