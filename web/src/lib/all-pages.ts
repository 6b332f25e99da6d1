import type { RequestOptions } from './api.ts'
import { api } from './clients.ts'

type Page<T> = { items: T[]; nextCursor: string | null }

/** Follows the cursors of `GET path` to the end of the list; for lists whose length the server bounds. */
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
