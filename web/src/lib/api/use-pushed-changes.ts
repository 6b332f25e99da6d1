import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { PushedChanges } from './pushed-changes.ts'

/** How long pushed changes are collected before they are shown, in ms. */
const COLLECT_MS = 200

/** The part of a `useSWR` or `useSWRInfinite` result that is used here. */
interface Answer<Data> {
  data: Data | undefined
  error?: unknown
  isValidating: boolean
  mutate: {
    (): Promise<unknown>
    (change: (known: Data | undefined) => Data | undefined, options: { revalidate: false }): Promise<unknown>
  }
}

interface Options<Data, Change> {
  /** The answer after some changes, which it may contain already. */
  apply: (known: Data, changes: readonly Change[]) => Data
  delayMs?: number
}

/**
 * Applies pushed changes to an answer of SWR, and reloads it, without losing the answer of a request that is under way:
 * see `PushedChanges`. Every change of an answer that comes from the socket goes through this hook.
 */
export function usePushedChanges<Data, Change>(
  answer: Answer<Data>,
  { apply, delayMs = COLLECT_MS }: Options<Data, Change>,
): Pick<PushedChanges<Change>, 'push' | 'reload'> {
  const { data, error, isValidating, mutate } = answer
  // What `keepPreviousData` shows after a failed request belongs to another key.
  const isLoaded = data !== undefined && error === undefined
  const latest = useRef({ isLoaded, isValidating, mutate, apply })
  useLayoutEffect(() => {
    latest.current = { isLoaded, isValidating, mutate, apply }
  })
  const [changes] = useState(
    () =>
      new PushedChanges<Change>(
        {
          isBusy: () => latest.current.isValidating,
          isLoaded: () => latest.current.isLoaded,
          apply: (pushed) => {
            const step = latest.current.apply
            void latest.current.mutate((known) => known && step(known, pushed), { revalidate: false })
          },
          reload: () => void latest.current.mutate(),
        },
        delayMs,
      ),
  )
  useEffect(() => {
    if (!isValidating) changes.requestEnded()
  }, [isValidating, changes])
  useEffect(() => () => changes.stop(), [changes])
  return changes
}

const UNCHANGED = { apply: <Data>(known: Data) => known }

/** As {@link usePushedChanges} where a push only says that the answer is out of date. */
export function useReload<Data>(answer: Answer<Data>, delayMs?: number): () => void {
  const changes = usePushedChanges<Data, never>(answer, { ...UNCHANGED, ...(delayMs && { delayMs }) })
  return () => changes.reload()
}
