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
