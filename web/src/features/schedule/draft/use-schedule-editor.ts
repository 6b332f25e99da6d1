import type { Channel } from '@looptide/contracts/http/channels'
import type { ScheduleDocument, ScheduleProblem } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { serverClock } from '../../../lib/clients.ts'
import { drafts } from '../../admin/drafts/account-drafts.ts'
import { useDraft } from '../../admin/drafts/use-drafts.ts'
import { type SavedDraft, scheduleActions, usePreview, usePublishedSchedule, useSavedDraft } from '../api.ts'
import { changesBetween, isEqual, mergeDocuments } from '../model/compare.ts'
import { completeDraft } from '../model/new-schedule.ts'
import { browserZone } from '../model/zoned-time.ts'
import {
  findUnsaved,
  isUnsavedSchedule,
  putUnsaved,
  type UnsavedSchedule,
  unsavedKey,
} from './unsaved-schedule.ts'
import { useAutosave } from './use-autosave.ts'
import { useHistory } from './use-history.ts'

/** Changes of a document by a part of the editor. */
type ChangeDocument = (change: (document: ScheduleDocument) => ScheduleDocument, part?: string) => void

/** The schedule of a channel: the draft with its unsaved changes, how it is saved, and what others have changed. */
export function useScheduleEditor(channel: Channel) {
  const { id } = channel
  const { data: saved, error, mutate } = useSavedDraft(id)
  const { data: published } = usePublishedSchedule(id)
  const { value: unsaved } = useDraft(unsavedKey(id), isUnsavedSchedule)
  const document =
    unsaved?.document ?? (saved?.document ? completeDraft(saved.document, browserZone()) : undefined)

  const isOutdated = saved !== undefined && unsaved !== undefined && saved.etag !== unsaved.etag
  const autosave = useAutosave(id, unsaved, isOutdated)
  const put = (next: ScheduleDocument, { base, etag }: Pick<UnsavedSchedule, 'base' | 'etag'>) =>
    putUnsaved(id, channel.name, { base, etag, document: next })
  const show = (next: ScheduleDocument) => {
    if (saved) put(next, unsaved ?? { base: saved.document, etag: saved.etag })
  }
  const history = useHistory(document, show)
  useForeignChanges(saved, unsaved !== undefined, history.clear)

  const change: ChangeDocument = (apply, part) => {
    if (document) history.record(apply(document), part)
  }
  /** Continues with another document, based on the draft that another admin has saved. */
  const rebase = (next: ScheduleDocument) => {
    if (saved === undefined) return
    history.clear()
    put(next, { base: saved.document, etag: saved.etag })
  }
  return {
    channel,
    document,
    published,
    error: document === undefined ? (error as unknown) : undefined,
    isLoading: saved === undefined,
    reload: () => void mutate(),
    start: show,
    change,
    undo: history.undo,
    redo: history.redo,
    ...autosave,
    isUnsaved: unsaved !== undefined,
    hasChanges: document !== undefined && !isEqual(document, withDefaults(published?.document)),
    conflict: isOutdated && !autosave.isSaving ? conflictOf(unsaved, saved, rebase) : undefined,
    /** Saves what is unsaved and resolves to the version of the draft. */
    saveNow: async (): Promise<string> => {
      // A request that is under way may not have the last change.
      while (findUnsaved(id)) await autosave.save()
      const etag = (await scheduleActions.reloadDraft(id))?.etag
      if (etag === undefined) throw new Error('the draft could not be read')
      return etag
    },
    discard: async () => {
      drafts.remove(unsavedKey(id))
      history.clear()
      await scheduleActions.discardDraft(id)
    },
  }
}

/** What another admin has changed, and the two ways to continue. */
const conflictOf = (
  unsaved: UnsavedSchedule,
  saved: SavedDraft,
  rebase: (next: ScheduleDocument) => void,
) => ({
  savedBy: saved.savedBy,
  changes: changesBetween(unsaved.base, saved.document),
  merge: () => rebase(mergeDocuments(unsaved.base, unsaved.document, saved.document)),
  overwrite: () => rebase(unsaved.document),
})

const withDefaults = (document: ScheduleDocument | null | undefined) =>
  document ? completeDraft(document, document.timeZone) : null

/** Clears the undo steps when the draft of another admin is shown: undoing would discard their changes. */
function useForeignChanges(saved: SavedDraft | undefined, isUnsaved: boolean, clear: () => void): void {
  const [known, setKnown] = useState(saved?.etag)
  const [wasUnsaved, setWasUnsaved] = useState(isUnsaved)
  if (isUnsaved !== wasUnsaved) setWasUnsaved(isUnsaved)
  if (saved?.etag === known) return
  setKnown(saved?.etag)
  // A version that replaces no unsaved changes was not saved by this editor.
  if (!isUnsaved && !wasUnsaved) clear()
}

export type ScheduleEditor = ReturnType<typeof useScheduleEditor>

/** The editor of a channel that has a draft. */
export type OpenEditor = Omit<ScheduleEditor, 'document'> & { document: ScheduleDocument }

const MINUTE_MS = 60_000

/** The problems of a document, checked by the station after each change. Undefined until the first answer. */
export function useProblems(
  channelId: string,
  document: ScheduleDocument,
): readonly ScheduleProblem[] | undefined {
  const [fromMs] = useState(() => Math.floor(serverClock.nowMs() / MINUTE_MS) * MINUTE_MS)
  return usePreview(channelId, document, fromMs, fromMs + MINUTE_MS).data?.problems
}
