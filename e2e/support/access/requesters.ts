import { type Permission, rolesWith } from '@looptide/contracts/permissions'

/**
 * The requesters. `other` is a signed-in user who requests another user's resources; all others request their own.
 * `banned` still has the access token from before the ban.
 */
export const REQUESTERS = [
  'anonymous',
  'user',
  'restricted',
  'banned',
  'programmer',
  'curator',
  'moderator',
  'admin',
  'other',
] as const
export type Requester = (typeof REQUESTERS)[number]

/** Who may use a route: anyone, any signed-in user, or the roles with a permission. */
export type Audience = 'anyone' | 'user' | Permission

/** The response for each requester: the status and, if refused, the error code, as in `403 forbidden`. */
export type Cells = Readonly<Record<Requester, string>>

/** For routes whose resources have no owner. */
export const NOT_REQUESTED = '–'

export interface Rule {
  audience: Audience
  /** The response for the audience. `400 validation_failed` if the body is missing on purpose. */
  answer: string
  /** Exceptions from what the audience implies. */
  but?: Partial<Cells>
  /** The route ignores ended sessions: it is the gateway's own, or the auth protocol says so. */
  isTokenless?: boolean
  /** Pages of every origin may read the answer. */
  isForAllPages?: true
  query?: string
  /** A function is called for each requester. */
  body?: unknown
  /** Uses a playlist that may be deleted, or another user's public one, instead of the requester's own. */
  playlist?: 'spare' | "a stranger's public one"
  /** Uses a user timed out by an admin instead of an id that does not exist. */
  person?: 'timed out by an admin'
  /** Uses a video that another user submitted and that is still pending, instead of a public one. */
  video?: "a stranger's submission"
  /** Instead of the channel `default`. */
  channel?: string
}

/** Whether the audience includes a requester who is not banned. */
export function includes(audience: Audience, requester: Requester): boolean {
  if (audience === 'anyone') return true
  if (audience === 'user') return requester !== 'anonymous'
  return rolesWith(audience).some((role) => role === requester)
}
const SIGNED_OUT = '401 unauthorized'
const REFUSED = '403 forbidden'

/** All cells of a rule: what the audience implies, with the rule's exceptions. */
export function cellsOf({ audience, answer, but = {}, isTokenless = false }: Rule): Cells {
  const cellOf = (requester: Requester): string => {
    if (requester === 'other') return NOT_REQUESTED
    if (requester === 'banned') return isTokenless ? answer : SIGNED_OUT
    if (includes(audience, requester)) return answer
    return requester === 'anonymous' ? SIGNED_OUT : REFUSED
  }
  const cells = REQUESTERS.map((requester): [Requester, string] => [
    requester,
    but[requester] ?? cellOf(requester),
  ])
  return Object.fromEntries(cells) as Record<Requester, string>
}
