import type { AnswerOf, AnyInput, CallInput, ItemOf, ReadCall } from '@looptide/contracts/client'
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { api } from '../clients.ts'
import { allPages } from './all-pages.ts'

/** How a call is read. Answers to the same call and input that differ in it are kept apart. */
interface Reading {
  /** Sends no token. For responses that are the same for all users, so that caches can serve them. */
  anonymous?: boolean
  /** The user whose answer it is, where another user would get another one. */
  userId?: string | undefined
  /** What is made of the answer, if it is not kept as it is. */
  shape?: 'all-pages' | 'versioned' | 'derived'
}

/** SWR's key of a read: the call, its input, and how it is read. */
export const keyOf = <C extends ReadCall>(call: C, input: CallInput<C>, reading: Reading = {}) =>
  [call, input, reading] as const

/** Matches SWR's keys of a call: with any input, or only with these params. */
export const isKeyOf =
  (call: ReadCall, params: AnyInput['params'] = {}) =>
  (key: unknown): boolean => {
    if (!Array.isArray(key) || key[0] !== call) return false
    const given = (key[1] as AnyInput).params ?? {}
    return Object.entries(params).every(([name, value]) => given[name] === value)
  }

/** SWR's options for an answer that is read once and does not become outdated. */
export const READ_ONCE = {
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
} as const

/** The answer to a read, by SWR. No request while `input` is null. */
export function useCall<C extends ReadCall>(
  call: C,
  input: CallInput<C> | null,
  { anonymous, userId, ...options }: Omit<Reading, 'shape'> & SWRConfiguration<AnswerOf<C>> = {},
): SWRResponse<AnswerOf<C>> {
  const reading = { anonymous, userId }
  return useSWR(
    input && keyOf(call, input, reading),
    ([, given]) => api.call(call, given, { anonymous }),
    options,
  )
}

/** As {@link useCall}, for all pages of a list whose length the server limits. */
export function useAllPages<C extends ReadCall>(
  call: C,
  input: CallInput<C> | null,
  { anonymous, userId, ...options }: Omit<Reading, 'shape'> & SWRConfiguration<ItemOf<C>[]> = {},
): SWRResponse<ItemOf<C>[]> {
  const reading = { anonymous, userId, shape: 'all-pages' } as const
  return useSWR(
    input && keyOf(call, input, reading),
    ([, given]) => allPages(call, given, { anonymous }),
    options,
  )
}
