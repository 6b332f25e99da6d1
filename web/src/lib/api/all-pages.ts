import type { AnyInput, CallInput, ItemOf, PageOf, ReadCall, VersionedCall } from '@looptide/contracts/client'
import { api } from '../clients.ts'
import type { RequestOptions } from './api.ts'

/** The input that requests the page of a list at `cursor`; the first page without one. */
export const atCursor = <C extends ReadCall>(input: CallInput<C>, cursor: string | null | undefined) => {
  const { query, ...rest }: AnyInput = input
  return { ...rest, query: { ...query, cursor: cursor ?? undefined } } as CallInput<C>
}

/** Fetches every page of a list by its cursors. Only for lists whose length the server limits. */
export async function allPages<C extends ReadCall>(
  call: C,
  input: CallInput<C>,
  options?: RequestOptions,
): Promise<ItemOf<C>[]> {
  const items: ItemOf<C>[] = []
  let cursor: string | null | undefined
  do {
    const page = (await api.call(call, atCursor(input, cursor), options)) as PageOf<ItemOf<C>>
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

/** A whole list with its version. */
export interface VersionedList<T> {
  items: T[]
  etag: string
}

/** Attempts to read a list that changes between its pages. */
const MAX_READS = 3

/**
 * Fetches every page of a list whose `ETag` is the version of the whole list. A list that changes in between is read
 * again. If that does not help, it has the version of its first page, so that a write based on it is refused.
 */
export async function allVersionedPages<C extends ReadCall & VersionedCall>(
  call: C,
  input: CallInput<C>,
): Promise<VersionedList<ItemOf<C>>> {
  for (let reads = 1; ; reads += 1) {
    const { isConsistent, ...list } = await readPages(call, input)
    if (isConsistent || reads === MAX_READS) return list
  }
}

async function readPages<C extends ReadCall & VersionedCall>(
  call: C,
  input: CallInput<C>,
): Promise<VersionedList<ItemOf<C>> & { isConsistent: boolean }> {
  const items: ItemOf<C>[] = []
  const versions = new Set<string>()
  let cursor: string | null | undefined
  do {
    const { body, etag } = await api.callVersioned(call, atCursor(input, cursor))
    const page = body as PageOf<ItemOf<C>>
    items.push(...page.items)
    versions.add(etag)
    cursor = page.nextCursor
  } while (cursor !== null)
  const [first = ''] = versions
  return { items, etag: first, isConsistent: versions.size === 1 }
}
