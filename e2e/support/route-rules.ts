import type { Rule } from './access/requesters.ts'
import { AUTH_RULES, USER_RULES } from './access/rules-of-accounts.ts'
import { CHANNEL_RULES } from './access/rules-of-channels.ts'
import { AUDIENCE_RULES } from './access/rules-of-the-audience.ts'
import { GATEWAY_RULES } from './access/rules-of-the-gateway.ts'
import { ADMIN_RULES, CHAT_RULES, PLAYLIST_RULES, VIDEO_RULES } from './access/rules-of-the-station.ts'
import { OUTSIDE_RULES } from './access/rules-outside.ts'

/**
 * Every public route, as the OpenAPI documents and the gateway list it, with the answer for each requester. A
 * new route needs a rule here. The text after ` | ` distinguishes cases of one route.
 */
export const ROUTE_RULES: ReadonlyMap<string, readonly [string, Rule][]> = new Map([
  ['Gateway', GATEWAY_RULES],
  ['Accounts: the auth protocol', AUTH_RULES],
  ['Users', USER_RULES],
  ['Videos', VIDEO_RULES],
  ['Playlists', PLAYLIST_RULES],
  ['Chat', CHAT_RULES],
  ['Requests and votes', AUDIENCE_RULES],
  ['Channels', CHANNEL_RULES],
  ['Admin dashboard', [...ADMIN_RULES, ...OUTSIDE_RULES]],
])

/** The address of a row, without its case: `GET /api/videos`. */
export const routeOf = (row: string): string => row.split(' | ', 1)[0] ?? ''

/** All rows of all parts. */
export const ALL_RULES: readonly [string, Rule][] = [...ROUTE_RULES.values()].flat()
/** Every address that has a rule, once. */
export const RULED_ROUTES: ReadonlySet<string> = new Set(ALL_RULES.map(([row]) => routeOf(row)))
