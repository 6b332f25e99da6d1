import { clear, createStore, del, entries, set } from 'idb-keyval'
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
