import { useRef, useState } from 'react'
import { showFailure } from '../../lib/failures.ts'
import { toast } from '../../ui/toast.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { updateMetadata } from './api.ts'
import { type LookupPush, MetadataUpdate, type UpdateProgress } from './metadata-update.ts'

/**
 * Update Metadata: requests lookups for all videos without a title (or for the given ids), counts those that end
 * (`observe`) and shows a toast after the last one.
 */
export function useMetadataUpdate() {
  const [progress, setProgress] = useState<UpdateProgress | null>(null)
  const [isRequesting, setRequesting] = useState(false)
  // A ref, because several lookups may end between two renders.
  const current = useRef<MetadataUpdate | null>(null)

  const end = () => {
    current.current = null
    setProgress(null)
  }

  const showProgress = () => {
    const reached = current.current?.progress ?? null
    setProgress(reached)
    if (reached === null || reached.found + reached.failed < reached.requested) return
    end()
    showResult(reached)
  }

  const start = async (ids?: string[]) => {
    setRequesting(true)
    const update = new MetadataUpdate(performance.now())
    current.current = update
    try {
      const requested = await updateMetadata(ids)
      update.setRequested(requested)
      showProgress()
    } catch (failure) {
      end()
      showFailure(failure, { title: 'Failed to update metadata', text: 'Please try again.' })
    } finally {
      setRequesting(false)
    }
  }

  const observe = (lookup: LookupPush) => {
    if (current.current === null) return
    current.current.observe(lookup)
    if (lookup.state === 'done' || lookup.state === 'failed') showProgress()
  }

  return { progress, isRequesting, start, observe }
}

function showResult({ requested, found, failed }: UpdateProgress): void {
  if (requested === 0) {
    toast({ title: 'No videos to update', description: 'All videos already have metadata' })
    return
  }
  const failures = failed > 0 ? ` ${failed} failed; each row shows the reason.` : ''
  const description = `${videoCountText(found)} updated.${failures}`
  if (found === 0 && failed > 0) toast({ title: 'Metadata not updated', description, tone: 'error' })
  else toast({ title: 'Metadata updated', description, tone: 'success' })
}
