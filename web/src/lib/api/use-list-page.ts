import {
  type AnswerOf,
  type CallInput,
  type ItemOf,
  type PageOf,
  type ReadCall,
  requestOf,
} from '@looptide/contracts/client'
import { mutate } from 'swr'
import useSWRInfinite, { type SWRInfiniteConfiguration, unstable_serialize } from 'swr/infinite'
import { api } from '../clients.ts'
import { atCursor } from './all-pages.ts'
import { peekEarly } from './early-answers.ts'
import { keyOf } from './use-call.ts'

/**
 * A list that is loaded page by page. `first` is the first page, with the totals; `pages` is SWR's answer, for
 * `useReload` and `usePushedChanges`.
 */
export function useListPage<C extends ReadCall>(
  call: C,
  input: CallInput<C>,
  { anonymous, ...options }: { anonymous?: boolean } & SWRInfiniteConfiguration<AnswerOf<C>> = {},
) {
  const pages = useSWRInfinite(
    (_index: number, previous: PageOf<unknown> | null) =>
      previous?.nextCursor === null
        ? null
        : keyOf(call, atCursor(input, previous?.nextCursor), { anonymous }),
    ([, at]) => api.call(call, at, { anonymous }),
    options,
  )
  const loaded = pages.data as (AnswerOf<C> & PageOf<ItemOf<C>>)[] | undefined
  return {
    pages,
    items: loaded?.flatMap((page) => page.items),
    first: loaded?.[0],
    error: pages.error as unknown,
    hasMore: typeof loaded?.at(-1)?.nextCursor === 'string',
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
  }
}

/** Lets the first render of a list that is the same for everybody show what the start script has requested. */
export async function readEarlyListPage<C extends ReadCall>(call: C, input: CallInput<C>): Promise<void> {
  const page = await peekEarly(requestOf(call, input).url)
  if (page === undefined) return
  const key = keyOf(call, atCursor(input, undefined), { anonymous: true })
  await mutate(
    unstable_serialize(() => key),
    [page],
    { revalidate: false },
  )
}
