import type { AdminListQuery } from '@looptide/contracts/http/auth-admin'
import type { UserPageQuery } from '../../features/operator/user-page-repository.ts'
import { AuthError } from '../auth-error.ts'

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 1000
/** Highest number of accounts before a page: Postgres reads them all. */
const MAX_OFFSET = 1_000_000

/** Reads which page is wanted. `per_page` above 1,000 is 1,000. Errors: `validation_failed`. */
export function readPage({ page, per_page: perPage, filter }: AdminListQuery): UserPageQuery {
  const query = {
    page: readNumber('page', page, 1),
    perPage: Math.min(MAX_PER_PAGE, readNumber('per_page', perPage, DEFAULT_PER_PAGE)),
    filter: filter === undefined || filter === '' ? null : filter,
  }
  if ((query.page - 1) * query.perPage > MAX_OFFSET) {
    throw AuthError.validation('Bad Pagination Parameters: page is too high')
  }
  return query
}

function readNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw AuthError.validation(`Bad Pagination Parameters: ${name} must be a number from 1`)
  }
  return Number(text)
}

/** The `Link` header of a page: the next and the last one. Clients read `page` as the first parameter. */
export function linkHeader(path: string, { page, perPage, filter }: UserPageQuery, total: number): string {
  const pages = Math.ceil(total / perPage)
  const linkTo = (number: number, rel: string): string => {
    const query = new URLSearchParams({
      page: String(number),
      per_page: String(perPage),
      ...(filter === null ? {} : { filter }),
    })
    return `<${path}?${query}>; rel="${rel}"`
  }
  return [...(page < pages ? [linkTo(page + 1, 'next')] : []), linkTo(pages, 'last')].join(', ')
}
