import { useLocation } from 'react-router-dom'
import { paths } from '../app/paths.ts'

const PARAMETER = 'next'

/** The sign-in screen's address, from where one comes back to the page one is on. */
export function useSignInPath(): string {
  const { pathname, search } = useLocation()
  return pathname === paths.root() ? paths.signIn() : paths.signIn(pathname + search)
}

/** Where a sign-in on this page leads, as path and query; the root unless the address wants another page. */
export function useNextPage(): string {
  const { search } = useLocation()
  return nextPageOf(search, window.location.origin) ?? paths.root()
}

/**
 * The page that a query wants next: an address of this app, as path, query and fragment. Anything that would lead
 * elsewhere counts as absent, for the query is in the hands of whoever made the link.
 */
export function nextPageOf(search: string | URLSearchParams, origin: string): string | undefined {
  const wanted = new URLSearchParams(search).get(PARAMETER)
  return wanted === null ? undefined : ownPage(wanted, origin)
}

/** An address as a page of this app; undefined when it is not one. */
export function ownPage(address: string, origin: string): string | undefined {
  if (!URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
