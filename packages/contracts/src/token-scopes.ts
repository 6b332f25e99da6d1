import type { Role } from './common.ts'
import { may, type Permission } from './permissions.ts'

/**
 * The scopes of personal access tokens. A token has some of them and never allows more than its owner's role.
 * The texts are shown when a token is created.
 */
export const TOKEN_SCOPES = {
  read: 'Read what you can read: channels, videos, playlists, chats and your profile',
  playlists: 'Create, change and delete your playlists',
  chat: 'Write chat messages',
  requests: 'Request videos on channels, vote for requests and in polls',
  videos: 'Add videos; if your role allows it, also edit, import, export and delete them',
  moderation: 'Decide on submissions, delete chat messages, change chat settings and ask polls',
  home: 'Change the home page and the theme',
  schedules: 'Change channels, their playlists and schedules',
  stream: 'Start, stop and take over channels',
} as const

export type TokenScope = keyof typeof TOKEN_SCOPES

export const TOKEN_SCOPE_NAMES = Object.keys(TOKEN_SCOPES) as TokenScope[]

/** The scopes of a paired television: it plays, follows, chats, requests and votes, and manages neither the account nor the station. */
export const DEVICE_SCOPES: readonly TokenScope[] = ['read', 'playlists', 'chat', 'requests']

/** Scopes that do nothing without one of these permissions. The others are for everybody with an account. */
const PERMISSIONS_OF: Partial<Record<TokenScope, readonly Permission[]>> = {
  moderation: ['chat:moderate', 'submissions:review'],
  home: ['home:edit', 'themes:edit'],
  schedules: ['schedules:edit', 'channels:manage'],
  stream: ['channels:manage', 'takeovers:run'],
}

/** The scopes that a user with this role can give to a token. */
export const scopesFor = (role: Role): TokenScope[] =>
  TOKEN_SCOPE_NAMES.filter(
    (scope) => PERMISSIONS_OF[scope]?.some((permission) => may(role, permission)) ?? true,
  )
