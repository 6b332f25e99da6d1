import { ApiError } from '../../../lib/api/api-error.ts'
import { drafts } from '../../admin/drafts/account-drafts.ts'
import type { Draft } from '../../admin/drafts/draft-store.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { scheduleActions } from '../api.ts'
import { channelOf, findUnsaved, isUnsavedSchedule, unsavedKey } from './unsaved-schedule.ts'

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
    if (failure instanceof ApiError && failure.code === 'precondition_failed')
      await scheduleActions.reloadDraft(channelId)
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
