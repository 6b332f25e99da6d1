import type { BulkFields } from '@looptide/contracts/http/video-edits'
import { type SubmitEvent, useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { videoCountText } from '../../shared/count-text.ts'
import { CATEGORIES, type Category } from '../categories.ts'
import { previewLines } from './preview-text.ts'
import { useBulkEdit } from './use-bulk-edit.ts'

const KEEP = ''
const CHOICES = [
  { value: KEEP, label: 'No change' } as const,
  ...CATEGORIES.map((value) => ({ value, label: value })),
]

/** Sets artist, genre or category of the selected videos, after a preview of the changes. */
export function BulkEditDialog(props: {
  ids: readonly string[]
  onChanged: () => void
  onDone: () => void
  onClose: () => void
}) {
  const { ids, onClose } = props
  const [form, setForm] = useState<{ artistName: string; genre: string; category: Category | typeof KEEP }>({
    artistName: '',
    genre: '',
    category: KEEP,
  })
  const artist = useRef<HTMLInputElement>(null)
  const edit = useBulkEdit(ids, props.onChanged, props.onDone)
  const { preview } = edit
  const fields = fieldsOf(form)
  const change = (part: Partial<typeof form>) => {
    setForm((known) => ({ ...known, ...part }))
    edit.discardPreview()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (preview) void edit.apply(preview.fields)
    else void edit.loadPreview(fields)
  }
  return (
    <Dialog
      title={`Edit ${videoCountText(ids.length)}`}
      description="Empty fields are not changed."
      isOpen
      onClose={onClose}
      initialFocus={artist}
    >
      <form onSubmit={submit} noValidate className="grid gap-4">
        <TextField
          ref={artist}
          label="Artist"
          maxLength={200}
          value={form.artistName}
          onChange={(event) => change({ artistName: event.target.value })}
        />
        <TextField
          label="Genre"
          maxLength={100}
          value={form.genre}
          onChange={(event) => change({ genre: event.target.value })}
        />
        <SelectField
          label="Category"
          choices={CHOICES}
          value={form.category}
          onChange={(category) => change({ category })}
        />
        <div role="status">
          {preview && (
            <ul aria-label="Changes" className="grid list-inside list-disc gap-1 break-words">
              {preview.sum.count === 0 && <li>No changes.</li>}
              {previewLines(preview.sum, preview.fields).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="primary"
            disabled={edit.isBusy || Object.keys(fields).length === 0 || preview?.sum.count === 0}
          >
            {preview ? `Update ${videoCountText(preview.sum.count)}` : 'Preview changes'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const fieldsOf = (form: {
  artistName: string
  genre: string
  category: Category | typeof KEEP
}): BulkFields => ({
  ...(form.artistName.trim() && { artistName: form.artistName.trim() }),
  ...(form.genre.trim() && { genre: form.genre.trim() }),
  ...(form.category !== KEEP && { category: form.category }),
})
