import type { Audience, Rule } from './askers.ts'

/** A rule for each address, of one audience. A text is the answer to those who are let in, with nothing else to say. */
export const rules = (
  audience: Audience,
  rows: Record<string, string | Omit<Rule, 'audience'>>,
): [string, Rule][] =>
  Object.entries(rows).map(([route, row]) => [
    route,
    { audience, ...(typeof row === 'string' ? { answer: row } : row) },
  ])

/** An id that does not exist. */
export const NOBODY = '01900000-0000-7000-8000-000000000000'
/** The body is missing or empty: an asker who is refused for that passed the access check. */
export const FAULTY = '400 validation_failed'
export const NOT_FOUND = '404 not_found'
/** What `restricted` takes away (decisions, "`restricted`"). */
export const NOT_WHILE_RESTRICTED = { restricted: '403 user_restricted' }
/** Somebody else's private thing is as if it were not there. */
export const NOT_SEEN = { other: NOT_FOUND }
