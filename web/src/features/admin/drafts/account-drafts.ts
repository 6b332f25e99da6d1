import { openDraftStorage } from './draft-storage.ts'
import { DraftStore } from './draft-store.ts'

/** The drafts of the signed-in account. */
export const drafts = new DraftStore(openDraftStorage())
