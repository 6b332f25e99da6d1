import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { saveSchedule } from './save-schedule-draft.ts'
import type { UnsavedSchedule } from './unsaved-schedule.ts'

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
export function useAutosave(channelId: string, unsaved: UnsavedSchedule | undefined, isPaused: boolean) {
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
