import { drafts } from '../drafts/account-drafts.ts'
import type { Draft, DraftKind } from '../drafts/draft-store.ts'

/** Saves and removes a draft, and shows a toast. On failure it shows a toast, keeps the draft and rejects. */
type SaveDraft = (draft: Draft) => Promise<void>

/** Loads the save function of each kind of draft; its editor need not be open. */
const LOADERS: Record<DraftKind, () => Promise<SaveDraft>> = {
  playlist: async () => (await import('../channels/save-playlist-draft.ts')).savePlaylistDraft,
  theme: async () => (await import('../theme/save-theme-draft.ts')).saveThemeDraft,
  schedule: async () => (await import('../schedule/draft/save-schedule-draft.ts')).saveScheduleDraft,
  'page-layout': async () => (await import('../page-editor/layout-draft.ts')).saveLayoutDraft,
}

/** Saves all drafts one after the other. Rejects at the end if one of them could not be saved. */
export async function saveDrafts(): Promise<void> {
  const failures: unknown[] = []
  for (const draft of drafts.state().drafts) {
    await LOADERS[draft.kind]()
      .then((save) => save(draft))
      .catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some drafts could not be saved')
}
