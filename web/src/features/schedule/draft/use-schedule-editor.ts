import type { Channel } from '@looptide/contracts/http/channels'
import type { PublishedSchedule } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument, ScheduleProblem } from '@looptide/contracts/schedule'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { serverClock } from '../../../lib/clients.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { drafts, useDraft } from '../../admin/drafts/account-drafts.ts'
import { type SavedDraft, scheduleActions, usePreview, usePublishedSchedule, useSavedDraft } from '../api.ts'
import { changesBetween, isEqual, mergeDocuments } from '../model/compare.ts'
import { completeDraft } from '../model/new-schedule.ts'
import { browserZone } from '../model/zoned-time.ts'
import {
  findUnsaved,
  isUnsavedSchedule,
  putUnsaved,
  saveSchedule,
  type UnsavedSchedule,
  unsavedKey,
} from './unsaved-schedule.ts'

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
    ...useApproval(published, unsaved ? undefined : saved),
    error: document === undefined ? (error as unknown) : undefined,
    isLoading: saved === undefined,
    reload: () => void mutate(),
    start: show,
    change,
    undo: history.undo,
    redo: history.redo,
    /** The document before the last change that can be undone. */
    previous: history.previous,
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

/**
 * Whether the draft is submitted for approval, because the station lets only people who manage channels publish, who has
 * submitted the saved draft, and who has sent its last submission back.
 */
function useApproval(published: PublishedSchedule | undefined, saved: SavedDraft | undefined) {
  const { may } = useSession()
  return {
    needsApproval: (published?.needsApproval ?? false) && !may('channels:manage'),
    submission: saved?.submission ?? undefined,
    sentBack: saved?.sentBack ?? undefined,
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

/** Maximum number of undo steps. */
const MAX_STEPS = 100
/** Changes of the same part within this time are one step, in ms: several presses of an arrow key, for example. */
const SAME_STEP_MS = 2_000

interface History {
  past: readonly ScheduleDocument[]
  future: readonly ScheduleDocument[]
  last: { part: string; atMs: number } | undefined
}
const EMPTY: History = { past: [], future: [], last: undefined }

/** The steps of an editor that can be undone and redone. `show` displays a document. */
function useHistory(document: ScheduleDocument | undefined, show: (next: ScheduleDocument) => void) {
  const [{ past, future, last }, setHistory] = useState(EMPTY)
  /** Shows a changed document. `part` names what is changed, if further changes of it belong to the same step. */
  const record = (next: ScheduleDocument, part?: string) => {
    const atMs = performance.now()
    const isSameStep = part !== undefined && last?.part === part && atMs - last.atMs < SAME_STEP_MS
    const steps = isSameStep || document === undefined ? past : [...past, document].slice(-MAX_STEPS)
    setHistory({ past: steps, future: [], last: part === undefined ? undefined : { part, atMs } })
    show(next)
  }
  const before = past.at(-1)
  const after = future.at(0)
  const undo =
    before &&
    document &&
    (() => {
      setHistory({ past: past.slice(0, -1), future: [document, ...future], last: undefined })
      show(before)
    })
  const redo =
    after &&
    document &&
    (() => {
      setHistory({ past: [...past, document], future: future.slice(1), last: undefined })
      show(after)
    })
  return { record, undo, redo, previous: before, clear: () => setHistory(EMPTY) }
}

/** Delay after the last change before it is saved, in ms. */
const SAVE_DELAY_MS = 700
/** Delay after an outage before the next attempt, in ms. */
const RETRY_DELAY_MS = 10_000

/** Why the last attempt failed, as a sentence, and the changes for which it did. */
interface Failure {
  unsaved: UnsavedSchedule
  text: string
  isOutage: boolean
}

/**
 * Saves unsaved changes shortly after the last one, one request at a time, unless `isPaused`. After an outage it tries
 * again; changes that the station has refused are not sent again until they are edited.
 */
function useAutosave(channelId: string, unsaved: UnsavedSchedule | undefined, isPaused: boolean) {
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const running = useRef<Promise<void>>(undefined)

  const save = (): Promise<void> => {
    running.current ??= (async () => {
      setSaving(true)
      setFailure(undefined)
      try {
        await saveSchedule(channelId)
      } catch (reason) {
        const isOutage = reason instanceof ApiError && reason.isOutage
        if (unsaved) setFailure({ unsaved, text: failureText(reason), isOutage })
        throw reason
      } finally {
        running.current = undefined
        setSaving(false)
      }
    })()
    return running.current
  }

  const failed = failure?.unsaved === unsaved ? failure : undefined
  const delayMs = failed === undefined ? SAVE_DELAY_MS : failed.isOutage ? RETRY_DELAY_MS : undefined
  // A failure is shown by the status line.
  const saveQuietly = useEffectEvent(() => void save().catch(() => undefined))
  useEffect(() => {
    if (unsaved === undefined || isPaused || isSaving || delayMs === undefined) return
    const timer = setTimeout(() => saveQuietly(), delayMs)
    return () => clearTimeout(timer)
  }, [unsaved, isPaused, isSaving, delayMs])

  return { isSaving, failure: failed?.text, save }
}

function failureText(reason: unknown): string {
  if (!(reason instanceof ApiError)) return 'Not saved. Please try again.'
  if (reason.isOutage)
    return 'Not saved: the station is not responding. Your changes are kept in this browser.'
  const [detail] = reason.details
  return detail ? `Not saved: ${detail.message}` : `Not saved: ${reason.message}`
}

/** What the tabs of the editor receive. */
export interface TabProps {
  editor: OpenEditor
  problems: readonly ScheduleProblem[]
}
