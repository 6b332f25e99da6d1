import { type Permission, rolesWith } from '@looptide/contracts/permissions'

/**
 * The askers. `other` is a signed-in user who asks for another user's things; the rest ask for their own. `banned`
 * still holds the access token of before the ban.
 */
export const ASKERS = [
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
export type Asker = (typeof ASKERS)[number]

/** Who an address is for: everybody, everybody who is signed in, or those whose role has a permission. */
export type Audience = 'anyone' | 'user' | Permission

/** What each is answered: the status and, for a refusal, its code, as in `403 forbidden`. */
export type Cells = Readonly<Record<Asker, string>>

/** For routes whose resources have no owner. */
export const NOT_ASKED = '–'

export interface Rule {
  audience: Audience
  /** What those are answered who are let in; a body that is missing on purpose is `400 validation_failed`. */
  answer: string
  /** Those who are answered otherwise than the audience says. */
  but?: Partial<Cells>
  /** Answered by the gateway itself, or as the auth protocol says: an ended session makes no difference. */
  isTokenless?: boolean
  query?: string
  /** A function is called for each asker. */
  body?: unknown
  /** Uses a playlist that may be deleted, or another user's public one, instead of the asker's own. */
  playlist?: 'spare' | "a stranger's public one"
  /** Uses a user timed out by an admin instead of an id that does not exist. */
  person?: 'timed out by an admin'
  /** Uses a video that another user submitted and that is still pending, instead of a public one. */
  video?: "a stranger's submission"
  /** Instead of the channel `default`. */
  channel?: string
}

/** Whether the audience includes an asker who has not been banned. */
function includes(audience: Audience, asker: Asker): boolean {
  if (audience === 'anyone') return true
  if (audience === 'user') return asker !== 'anonymous'
  return rolesWith(audience).some((role) => role === asker)
}
const SIGNED_OUT = '401 unauthorized'
const REFUSED = '403 forbidden'

/** All cells of a rule: what the audience implies, and what the rule says otherwise. */
export function cellsOf({ audience, answer, but = {}, isTokenless = false }: Rule): Cells {
  const cellOf = (asker: Asker): string => {
    if (asker === 'other') return NOT_ASKED
    if (asker === 'banned') return isTokenless ? answer : SIGNED_OUT
    if (includes(audience, asker)) return answer
    return asker === 'anonymous' ? SIGNED_OUT : REFUSED
  }
  const cells = ASKERS.map((asker): [Asker, string] => [asker, but[asker] ?? cellOf(asker)])
  return Object.fromEntries(cells) as Record<Asker, string>
}
