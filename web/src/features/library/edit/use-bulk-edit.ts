import type { BulkFields, EditPreview } from '@looptide/contracts/http/video-edits'
import { useState } from 'react'
import { randomId } from '../../../lib/browser/random-id.ts'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { reloadTags } from '../tags/api.ts'
import { editVideos, previewEdit, undoEdit } from './api.ts'

/** How long the toast offers Undo, in ms. The server accepts it for an hour. */
const UNDO_MS = 30_000

/** Edits many videos. The first submit previews the changes, the second applies them. The edit can be undone. */
export function useBulkEdit(options: {
  ids: readonly string[]
  fields: BulkFields
  onChanged: () => void
  onDone: () => void
}) {
  const { ids, fields, onChanged } = options
  const [preview, setPreview] = useState<{ fields: BulkFields; sum: EditPreview } | null>(null)

  const apply = async (previewed: BulkFields) => {
    const editId = randomId()
    let changed = 0
    try {
      await editVideos(ids, previewed, editId, (count) => {
        changed = count
      })
      options.onDone()
    } finally {
      onChanged()
      reloadTags()
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
  }
  const form = useForm({
    send: async () => {
      if (preview) await apply(preview.fields)
      else setPreview({ fields, sum: await previewEdit(ids, fields) })
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Error updating videos', text: 'Please try again.' }),
  })
  return { form, preview, discardPreview: () => setPreview(null) }
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
    reloadTags()
  }
}
