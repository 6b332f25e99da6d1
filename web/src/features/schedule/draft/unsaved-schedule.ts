import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { isVersionConflict } from '../../../lib/api/api-error.ts'
import { showFailure } from '../../../lib/failures.ts'
import { paths } from '../../../lib/paths.ts'
import { drafts } from '../../admin/drafts/account-drafts.ts'
import type { Draft } from '../../admin/drafts/draft-store.ts'
import { scheduleActions } from '../api.ts'

/** Changes that are not saved yet, with the saved draft on which they are based. */
export interface UnsavedSchedule {
  base: ScheduleDraftDocument | null
  /** Version of `base`. */
  etag: string
  document: ScheduleDocument
}

const PREFIX = 'schedule:'

/** The key of a channel's schedule among the unsaved drafts. */
export const unsavedKey = (channelId: string): string => PREFIX + channelId
/** The channel of a key of {@link unsavedKey}. */
export const channelOf = (key: string): string => key.slice(PREFIX.length)

/** Whether a stored value can be read by this release. */
export function isUnsavedSchedule(value: unknown): value is UnsavedSchedule {
  if (typeof value !== 'object' || value === null) return false
  const { etag, document } = value as Partial<UnsavedSchedule>
  return (
    typeof etag === 'string' && typeof document === 'object' && document !== null && 'sources' in document
  )
}

/** The unsaved changes of a channel at this moment. */
export function findUnsaved(channelId: string): UnsavedSchedule | undefined {
  const value = drafts.find(unsavedKey(channelId))?.value
  return isUnsavedSchedule(value) ? value : undefined
}

/** Keeps the unsaved changes of a channel's schedule in this browser. */
export function putUnsaved(channelId: string, channelName: string, value: UnsavedSchedule): void {
  drafts.put({
    key: unsavedKey(channelId),
    kind: 'schedule',
    label: `${channelName} schedule`,
    path: paths.schedule({ channel: channelId }),
    value,
  })
}

/**
 * Saves the unsaved changes of a channel's schedule as its draft. Changes made during the request stay unsaved, based on
 * the saved version. Throws ApiError; after `precondition_failed` the current draft has been loaded.
 */
export async function saveSchedule(channelId: string): Promise<void> {
  const sent = findUnsaved(channelId)
  if (sent === undefined) return
  try {
    const etag = await scheduleActions.saveDraft(channelId, sent.document, sent.etag)
    const now = findUnsaved(channelId)
    const draft = drafts.find(unsavedKey(channelId))
    if (now === undefined || draft === undefined) return
    if (now.document === sent.document) drafts.remove(draft.key)
    else drafts.put({ ...draft, value: { ...now, base: sent.document, etag } })
  } catch (failure) {
    if (isVersionConflict(failure)) await scheduleActions.reloadDraft(channelId)
    throw failure
  }
}

/** Saves a draft from the dashboard, where its editor is not open. A failure is shown as a toast and thrown. */
export async function saveScheduleDraft({ key, value }: Draft): Promise<void> {
  if (!isUnsavedSchedule(value)) return drafts.remove(key)
  try {
    await saveSchedule(channelOf(key))
  } catch (failure) {
    showFailure(failure, { title: 'Failed to save the schedule', text: 'Please try again.' })
    throw failure
  }
}
