import { api } from '../clients.ts'
import type { QueryValue } from './api.ts'
import type { Page } from './use-list-page.ts'

/** A whole list with its version. */
export interface VersionedList<T> {
  items: T[]
  etag: string
}

/** Attempts to read a list that changes between its pages. */
const MAX_READS = 3

/**
 * Fetches every page of `GET path`, whose `ETag` is the version of the whole list. A list that changes in between is read
 * again. If that does not help, it has the version of its first page, so that a write based on it is refused.
 */
export async function allVersionedPages<T>(
  path: string,
  query: Record<string, QueryValue> = {},
): Promise<VersionedList<T>> {
  for (let reads = 1; ; reads += 1) {
    const { isConsistent, ...list } = await readPages<T>(path, query)
    if (isConsistent || reads === MAX_READS) return list
  }
}

async function readPages<T>(
  path: string,
  query: Record<string, QueryValue>,
): Promise<VersionedList<T> & { isConsistent: boolean }> {
  const items: T[] = []
  const versions = new Set<string>()
  let cursor: string | undefined
  do {
    const { body, etag } = await api.getVersioned<Page<T>>(path, { query: { ...query, cursor } })
    items.push(...body.items)
    versions.add(etag)
    cursor = body.nextCursor ?? undefined
  } while (cursor !== undefined)
  const [first = ''] = versions
  return { items, etag: first, isConsistent: versions.size === 1 }
}
