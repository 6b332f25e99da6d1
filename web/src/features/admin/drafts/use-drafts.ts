import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { drafts } from './account-drafts.ts'
import type { Draft } from './draft-store.ts'

export const useDrafts = () => useSyncExternalStore(drafts.subscribe, drafts.state)

/** Whether the drafts of the account have been read; until then an editor waits. */
export const useDraftsReady = (): boolean => useDrafts().isReady

/**
 * The draft of a key, if there is one that `isValid` accepts; another one, e.g. of an earlier release, counts for
 * nothing. `isRestored`: it was read from the browser and not changed since.
 */
export function useDraft<Value>(
  key: string,
  isValid: (value: unknown) => value is Value,
): { value: Value | undefined; isRestored: boolean } {
  const { drafts: all, restored } = useDrafts()
  const found: Draft | undefined = all.find((draft) => draft.key === key)
  const value = found && isValid(found.value) ? found.value : undefined
  return { value, isRestored: value !== undefined && restored.has(key) }
}

/** Reads the account's drafts, and asks before the page is left while some are not written to the browser. */
export function useOpenDrafts(): void {
  const { userId } = useSession()
  const { hasUnwritten } = useDrafts()
  useEffect(() => {
    if (userId !== undefined) void drafts.open(userId)
  }, [userId])
  useEffect(() => {
    if (!hasUnwritten) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasUnwritten])
}
