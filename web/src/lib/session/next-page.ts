import { useLocation } from 'react-router-dom'
import { paths } from '../paths.ts'

const PARAMETER = 'next'

/** The path of the sign-in screen, which returns to the current page after the sign-in. */
export function useSignInPath(): string {
  const { pathname, search } = useLocation()
  return pathname === paths.root() ? paths.signIn() : paths.signIn(pathname + search)
}

/** The page that opens after a sign-in, as path and query: the `next` parameter of the URL, or the root. */
export function useNextPage(): string {
  const { search } = useLocation()
  return nextPageOf(search, window.location.origin) ?? paths.root()
}

/**
 * The `next` parameter of a query as a page of this app: path, query and fragment. A URL of another site is ignored,
 * because anyone can make such a link.
 */
export function nextPageOf(search: string | URLSearchParams, origin: string): string | undefined {
  const next = new URLSearchParams(search).get(PARAMETER)
  return next === null ? undefined : ownPage(next, origin)
}

/** A URL or path as a page of this app; undefined if it belongs to another site. */
export function ownPage(href: string, origin: string): string | undefined {
  if (!URL.canParse(href, origin)) return undefined
  const url = new URL(href, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
