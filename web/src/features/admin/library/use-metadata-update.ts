import { useRef, useState } from 'react'
import { toast } from '../../../ui/toast.ts'
import { videoCountText } from '../shared/count-text.ts'
import { showFailure } from '../shared/show-failure.ts'
import { updateMetadata } from './api.ts'

/** Progress of requested metadata lookups. `requested` is infinite until the server has responded. */
export interface UpdateProgress {
  requested: number
  found: number
  failed: number
}

/**
 * Update Metadata: requests lookups for all videos without a title (or for the given ids), counts those that end
 * (`settle`) and shows a toast after the last one.
 */
export function useMetadataUpdate() {
  const [progress, setProgress] = useState<UpdateProgress | null>(null)
  const [isRequesting, setRequesting] = useState(false)
  // A ref, because several lookups may end between two renders.
  const current = useRef<UpdateProgress | null>(null)

  const update = (next: UpdateProgress | null) => {
    const hasEnded = next !== null && next.found + next.failed >= next.requested
    if (hasEnded) showResult(next)
    current.current = hasEnded ? null : next
    setProgress(current.current)
  }

  const start = async (ids?: string[]) => {
    setRequesting(true)
    // Lookups that end before the response arrives count as well.
    update({ requested: Number.POSITIVE_INFINITY, found: 0, failed: 0 })
    try {
      const requested = await updateMetadata(ids)
      if (requested === 0) {
        update(null)
        toast({ title: 'No videos to update', description: 'All videos already have metadata' })
      } else update(current.current && { ...current.current, requested })
    } catch (failure) {
      update(null)
      showFailure(failure, { title: 'Failed to update metadata', text: 'Please try again.' })
    } finally {
      setRequesting(false)
    }
  }

  const settle = (state: 'done' | 'failed') => {
    const known = current.current
    if (known === null) return
    update(state === 'done' ? { ...known, found: known.found + 1 } : { ...known, failed: known.failed + 1 })
  }

  return { progress, isRequesting, start, settle }
}

function showResult({ found, failed }: UpdateProgress): void {
  const failures = failed > 0 ? ` ${failed} failed; each row shows the reason.` : ''
  const description = `${videoCountText(found)} updated.${failures}`
  if (found === 0 && failed > 0) toast({ title: 'Metadata not updated', description, tone: 'error' })
  else toast({ title: 'Metadata updated', description, tone: 'success' })
}
