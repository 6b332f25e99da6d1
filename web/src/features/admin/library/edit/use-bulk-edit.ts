import type { BulkFields, EditPreview } from '@looptide/contracts/http/video-edits'
import { useState } from 'react'
import { randomId } from '../../../../lib/browser/random-id.ts'
import { toast } from '../../../../ui/toast.ts'
import { videoCountText } from '../../shared/count-text.ts'
import { showFailure } from '../../shared/show-failure.ts'
import { editVideos, previewEdit, undoEdit } from './api.ts'

/** How long the toast offers Undo, in ms. The server accepts it for an hour. */
const UNDO_MS = 30_000

const FAILED = { title: 'Error updating videos', text: 'Please try again.' }

/** Edits many videos in two steps: preview, then apply. The edit can be undone. */
export function useBulkEdit(ids: readonly string[], onChanged: () => void, onDone: () => void) {
  const [preview, setPreview] = useState<{ fields: BulkFields; sum: EditPreview } | null>(null)
  const [isBusy, setBusy] = useState(false)

  const run = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      showFailure(failure, FAILED)
    } finally {
      setBusy(false)
    }
  }

  const apply = (fields: BulkFields) =>
    run(async () => {
      const editId = randomId()
      let changed = 0
      try {
        await editVideos(ids, fields, editId, (count) => {
          changed = count
        })
        onDone()
      } finally {
        onChanged()
        if (changed > 0) {
          toast({
            title: 'Videos updated',
            description: `${videoCountText(changed)} updated.`,
            tone: 'success',
            durationMs: UNDO_MS,
            action: { label: 'Undo', onPress: () => void undoWithToast(editId, onChanged) },
          })
        }
      }
    })

  return {
    preview,
    isBusy,
    loadPreview: (fields: BulkFields) =>
      run(async () => setPreview({ fields, sum: await previewEdit(ids, fields) })),
    discardPreview: () => setPreview(null),
    apply,
  }
}

/** Undoes an edit and shows the result as a toast. */
async function undoWithToast(editId: string, onChanged: () => void): Promise<void> {
  try {
    const { count, skipped } = await undoEdit(editId)
    const rest = skipped > 0 ? ` ${videoCountText(skipped)} skipped because of later changes.` : ''
    toast({
      title: 'Edit undone',
      description: `${videoCountText(count)} restored.${rest}`,
      tone: 'success',
    })
  } catch (failure) {
    showFailure(failure, { title: 'Error undoing the edit', text: 'Please try again.' })
  } finally {
    onChanged()
  }
}
