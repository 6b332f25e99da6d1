import type { AnyInput, CallInput, ItemOf, PageOf, ReadCall } from '@looptide/contracts/client'
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
