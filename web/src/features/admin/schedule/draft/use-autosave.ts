import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../../../lib/api/api-error.ts'
import { saveSchedule } from './save-schedule-draft.ts'
import type { UnsavedSchedule } from './unsaved-schedule.ts'

/** Delay after the last change before it is saved, in ms. */
const SAVE_DELAY_MS = 700

/** Why the last attempt failed, as a sentence, and the changes for which it did. */
type Failure = { document: UnsavedSchedule['document']; text: string }

/** Saves unsaved changes shortly after the last one, one request at a time, unless `isPaused`. */
export function useAutosave(channelId: string, unsaved: UnsavedSchedule | undefined, isPaused: boolean) {
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const running = useRef<Promise<void>>(undefined)
  const document = unsaved?.document

  const save = (): Promise<void> => {
    running.current ??= (async () => {
      setSaving(true)
      setFailure(undefined)
      try {
        await saveSchedule(channelId)
      } catch (reason) {
        if (document) setFailure({ document, text: failureText(reason) })
        throw reason
      } finally {
        running.current = undefined
        setSaving(false)
      }
    })()
    return running.current
  }

  const hasFailed = failure !== undefined && failure.document === document
  // A failure is shown by the status line.
  const saveQuietly = useEffectEvent(() => void save().catch(() => undefined))
  useEffect(() => {
    if (document === undefined || isPaused || isSaving || hasFailed) return
    const timer = setTimeout(() => saveQuietly(), SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [document, isPaused, isSaving, hasFailed])

  return { isSaving, failure: hasFailed ? failure.text : undefined, save }
}

function failureText(reason: unknown): string {
  if (!(reason instanceof ApiError)) return 'Not saved. Please try again.'
  if (reason.isOutage)
    return 'Not saved: the station is not responding. Your changes are kept in this browser.'
  const [detail] = reason.details
  return detail ? `Not saved: ${detail.message}` : `Not saved: ${reason.message}`
}
