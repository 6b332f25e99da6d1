import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { reloadTags } from '../tags/api.ts'
import { editVideo, readVideo, type VersionedVideo } from './api.ts'
import { editBody, fieldsOf, mergeFields, type VideoFields } from './video-fields.ts'

interface Editing {
  base: VersionedVideo
  values: VideoFields
  /** Fields that another admin changed while the dialog was open. */
  theirs: (keyof VideoFields)[]
  /** Fields that both changed: saving overwrites the other admin's value. */
  conflicts: (keyof VideoFields)[]
}

/**
 * Edits one video: loads it, holds the form values and saves the changed fields. If another admin changed the video in
 * the meantime, nothing is saved: their changes are merged into the form, and the admin decides again.
 */
export function useVideoEdit(videoId: string, onSaved: (video: Video) => void, onClose: () => void) {
  const [editing, setEditing] = useState<Editing | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    let isCurrent = true
    setFailed(false)
    readVideo(videoId)
      .then((base) => {
        if (isCurrent) setEditing({ base, values: fieldsOf(base.body), theirs: [], conflicts: [] })
      })
      .catch(() => isCurrent && setFailed(true))
    return () => {
      isCurrent = false
    }
  }, [videoId, attempt])

  const merge = async (known: Editing) => {
    const latest = await readVideo(videoId)
    setEditing({
      base: latest,
      ...mergeFields(fieldsOf(known.base.body), known.values, fieldsOf(latest.body)),
    })
  }

  const form = useForm({
    send: async () => {
      if (editing === null) return
      const { base, values } = editing
      const body = editBody(fieldsOf(base.body), values)
      if (body === undefined) return onClose()
      const video = await editVideo(videoId, body, base.etag)
      onSaved(video)
      if (body.tags) reloadTags()
      toast({ title: 'Video updated', description: video.title, tone: 'success' })
      onClose()
    },
    onFailure: (failure) => {
      const isOutdated = failure instanceof ApiError && failure.code === 'precondition_failed'
      if (isOutdated && editing) void merge(editing).catch(() => setFailed(true))
      else showFailure(failure, { title: 'Failed to update video', text: 'Please try again.' })
    },
  })

  return {
    editing,
    form,
    hasFailed,
    retry: () => setAttempt((count) => count + 1),
    change: (part: Partial<VideoFields>) =>
      setEditing((known) => known && { ...known, values: { ...known.values, ...part } }),
  }
}
