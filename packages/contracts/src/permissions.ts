import type { Role } from './common.ts'

/**
 * The permissions that roles can have, as `<object>:<action>`:
 * - `dashboard:watch`: live changes on the admin dashboard, who else is editing (the topic `admin`), and who edited last.
 * - `videos:edit`: the video library: private videos, adding, editing, deleting and restoring, tags, filters, imports,
 *   followed lists, metadata.
 * - `videos:purge`: deleting videos for good, before their 30 days are over.
 * - `videos:export`: the whole library as a file.
 * - `schedules:edit`: playlists and schedules of channels, the live playlist, quarantined videos.
 * - `programmes:simulate`: what a change would put on the air.
 * - `channels:manage`: creating, changing and deleting channels; starting, stopping and resetting their streams.
 * - `takeovers:run`: putting a video or live stream on the air at once.
 * - `home:edit`, `themes:edit`, `pages:edit`: the home page, the appearance, and page layouts.
 * - `submissions:review`: submitted videos.
 * - `chat:moderate`: deleting messages, slow mode, time-outs of the chat. Not slowed down itself.
 * - `users:manage`: accounts, restrictions, roles, reserved names.
 * - `audit:read`: the audit log, live and as a file.
 * - `system:operate`: metadata jobs, dead letters and webhooks.
 */
export const PERMISSIONS = [
  'dashboard:watch',
  'videos:edit',
  'videos:purge',
  'videos:export',
  'schedules:edit',
  'programmes:simulate',
  'channels:manage',
  'takeovers:run',
  'home:edit',
  'themes:edit',
  'pages:edit',
  'submissions:review',
  'chat:moderate',
  'users:manage',
  'audit:read',
  'system:operate',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * The permissions of each role. Routes, socket topics and the web app check them through {@link may}. A user has one role.
 * Apart from admins, who may do everything, staff roles share only `dashboard:watch` and `programmes:simulate`.
 */
const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  user: [],
  programmer: ['dashboard:watch', 'videos:edit', 'schedules:edit', 'programmes:simulate'],
  curator: ['dashboard:watch', 'home:edit', 'themes:edit', 'pages:edit'],
  moderator: ['chat:moderate', 'submissions:review', 'takeovers:run', 'programmes:simulate'],
  admin: PERMISSIONS,
}

/** Whether a role allows this. False without a role: a visitor may do nothing that needs a permission. */
export const may = (role: Role | undefined, permission: Permission): boolean =>
  role !== undefined && ROLE_PERMISSIONS[role].includes(permission)

/** All roles, the one with all permissions last. */
export const ROLES = Object.keys(ROLE_PERMISSIONS) as Role[]
/** The roles that allow anything. */
export const STAFF_ROLES = ROLES.filter((role) => ROLE_PERMISSIONS[role].length > 0)

/** The roles that allow this. */
export const rolesWith = (permission: Permission): Role[] => ROLES.filter((role) => may(role, permission))
