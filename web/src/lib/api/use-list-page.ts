import useSWRInfinite, { type SWRInfiniteConfiguration } from 'swr/infinite'
import { api } from '../clients.ts'
import type { QueryValue } from './api.ts'

/** A page of a list; `nextCursor` is null on the last one. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/**
 * A list that is loaded page by page: `GET path` with a cursor. `first` is the first page, with the totals; `pages` is
 * SWR's answer, for `useReload` and `usePushedChanges`.
 */
export function useListPage<P extends Page<unknown>>(
  path: string,
  {
    query = {},
    anonymous = false,
    ...options
  }: { query?: Record<string, QueryValue>; anonymous?: boolean } & SWRInfiniteConfiguration<P> = {},
) {
  const pages = useSWRInfinite<P>(
    (_index: number, previous: P | null) =>
      previous?.nextCursor === null ? null : [path, query, previous?.nextCursor, anonymous],
    ([url, filter, cursor, isAnonymous]: [string, typeof query, string | undefined, boolean]) =>
      api.get<P>(url, { query: { ...filter, cursor }, anonymous: isAnonymous }),
    options,
  )
  return {
    pages,
    items: pages.data?.flatMap((page): P['items'][number][] => page.items),
    first: pages.data?.[0],
    error: pages.error as unknown,
    hasMore: typeof pages.data?.at(-1)?.nextCursor === 'string',
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
  }
}
