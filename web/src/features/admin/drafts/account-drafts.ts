import { clear, createStore, del, entries, set } from 'idb-keyval'
import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Draft, type DraftStorage, DraftStore } from './draft-store.ts'

const DATABASE = 'looptide-drafts'
const separator = ' '

const keyOf = (account: string, key: string): string => `${account}${separator}${key}`

/** Stores drafts by account in this browser's IndexedDB. */
function openDraftStorage(): DraftStorage {
  const store = createStore(DATABASE, 'drafts')
  return {
    read: async (account) => {
      const all = await entries<string, Draft>(store)
      return all.flatMap(([key, draft]) => (key.startsWith(keyOf(account, '')) ? [draft] : []))
    },
    write: (account, draft) => set(keyOf(account, draft.key), draft, store),
    remove: (account, key) => del(keyOf(account, key), store),
    clear: () => clear(store),
  }
}

/** The drafts of the signed-in account. */
export const drafts = new DraftStore(openDraftStorage())

/** The unsaved drafts of the signed-in account in this browser. */
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

/** Discards a draft and shows a toast with Undo. */
export function discardDraft(key: string): void {
  const draft = drafts.find(key)
  if (draft === undefined) return
  drafts.remove(key)
  toast({
    title: 'Changes discarded',
    description: draft.label,
    action: { label: 'Undo', onPress: () => drafts.put(draft) },
  })
}
