import { api } from '../clients.ts'
import type { RequestOptions } from './api.ts'

interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** Fetches every page of `GET path` by its cursors. Only for lists whose length the server limits. */
export async function allPages<T>(
  path: string,
  { query, ...options }: Pick<RequestOptions, 'query' | 'anonymous'> = {},
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await api.get<Page<T>>(path, { ...options, query: { ...query, cursor } })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}
