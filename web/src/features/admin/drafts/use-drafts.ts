import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { drafts } from './account-drafts.ts'
import type { Draft } from './draft-store.ts'

export const useDrafts = () => useSyncExternalStore(drafts.subscribe, drafts.state)

/** Whether the account's drafts have been loaded; editors wait for this. */
export const useDraftsReady = (): boolean => useDrafts().isReady

/**
 * The draft of a key, if there is one that `isValid` accepts; a draft from an incompatible release is ignored.
 * `isRestored`: it was loaded from the browser and not changed since.
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

/** Loads the account's drafts. While some are not written to the browser, leaving the page asks for confirmation. */
export function useOpenDrafts(): void {
  const { userId } = useSession()
  const { hasUnwritten } = useDrafts()
  useEffect(() => {
    if (userId !== undefined) void drafts.open(userId)
  }, [userId])
  useEffect(() => {
    if (!hasUnwritten) return
    const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', confirmLeave)
    return () => window.removeEventListener('beforeunload', confirmLeave)
  }, [hasUnwritten])
}
