import { drafts } from '../drafts/account-drafts.ts'
import type { Draft, DraftKind } from '../drafts/draft-store.ts'

/** Saves a draft, says so, and drops it. Rejects, after saying why, when it stays. */
type SaveDraft = (draft: Draft) => Promise<void>

/** An editor need not be open for its drafts to be saved. */
const LOADS: Record<DraftKind, () => Promise<SaveDraft>> = {
  playlist: async () => (await import('../channels/save-playlist-draft.ts')).savePlaylistDraft,
  theme: async () => (await import('../theme/save-theme-draft.ts')).saveThemeDraft,
  'page-layout': async () => (await import('../page-editor/layout-draft.ts')).saveLayoutDraft,
}

/** Saves all drafts one after the other; rejects in the end when one of them could not be saved. */
export async function saveDrafts(): Promise<void> {
  const failures: unknown[] = []
  for (const draft of drafts.state().drafts) {
    await LOADS[draft.kind]()
      .then((save) => save(draft))
      .catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some drafts could not be saved')
}
