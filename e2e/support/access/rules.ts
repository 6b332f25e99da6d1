import type { Audience, Rule } from './requesters.ts'

/** The rules of one audience. A text is the response for requesters in the audience. */
export const rules = (
  audience: Audience,
  rows: Record<string, string | Omit<Rule, 'audience'>>,
): [string, Rule][] =>
  Object.entries(rows).map(([route, row]) => [
    route,
    { audience, ...(typeof row === 'string' ? { answer: row } : row) },
  ])

/** An id that does not exist. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'
/** The body is missing or empty on purpose. Only requesters who may use the route learn it: the access check is first. */
export const INVALID = '400 validation_failed'
export const NOT_FOUND = '404 not_found'
/** What a `restricted` user may not do. */
export const NOT_WHILE_RESTRICTED = { restricted: '403 user_restricted' }
/** Another user's private resource is reported as missing. */
export const HIDDEN_FROM_OTHERS = { other: NOT_FOUND }

/** Routes of the gateway with the same response for everyone: tokens are ignored. */
export const shared = (query?: string): Omit<Rule, 'audience'> => ({
  answer: '200',
  isTokenless: true,
  ...(query === undefined ? {} : { query }),
})
