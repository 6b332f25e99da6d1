import { decodeCursor } from '@looptide/service-kit/http/cursor'
import type { ProfileQuery } from './profile-search-repository.ts'

/** Reads the query of a list sorted by handle. Throws `invalid_cursor`. */
export function readProfileQuery(query: { q?: string; limit?: number; cursor?: string }): ProfileQuery {
  const trimmed = query.q?.trim()
  return {
    q: trimmed === '' ? undefined : trimmed,
    after: query.cursor === undefined ? undefined : decodeCursor(query.cursor, ['string'])[0],
    limit: query.limit ?? 100,
  }
}
