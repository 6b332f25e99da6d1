import type { BulkFields, EditPreview } from '@looptide/contracts/http/video-edits'
import type { VideoSelection } from '@looptide/contracts/http/video-jobs'
import { type Ref, useRef, useState } from 'react'
import { showFailure } from '../../../lib/failures.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { CATEGORIES } from '../../admin/categories.ts'
import { startEdit } from '../../admin/jobs/api.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { TagField } from '../tags/tag-field.tsx'
import { tagProblem } from '../tags/tag-text.ts'
import { previewEdit } from './api.ts'
import { type BulkValues, bulkFieldsOf, type ClearableText, NO_CHANGES } from './bulk-fields.ts'
import { previewLines } from './preview-text.ts'

const CATEGORY_CHOICES = [
  { value: '', label: 'No change' } as const,
  ...CATEGORIES.map((value) => ({ value, label: value })),
]

/**
 * Edits artist, genre, category, tags and titles of the selected videos, after a preview of the changes. The server makes
 * them; the dialog closes when it has accepted them.
 */
export function BulkEditDialog(props: {
  videos: VideoSelection
  count: number
  onDone: () => void
  onClose: () => void
}) {
  const { count, onClose } = props
  const [values, setValues] = useState(NO_CHANGES)
  const artist = useRef<HTMLInputElement>(null)
  const fields = bulkFieldsOf(values)
  const { form, preview, discardPreview } = useBulkEdit({ ...props, fields })
  const change = (part: Partial<BulkValues>) => {
    setValues((known) => ({ ...known, ...part }))
    discardPreview()
  }
  return (
    <Dialog
      title={`Edit ${videoCountText(count)}`}
      description="Empty fields are not changed."
      isOpen
      onClose={onClose}
      initialFocus={artist}
    >
      <Form form={form}>
        <ClearableField
          ref={artist}
          label="Artist"
          maxLength={200}
          value={values.artistName}
          onChange={(artistName) => change({ artistName })}
        />
        <ClearableField
          label="Genre"
          maxLength={100}
          value={values.genre}
          onChange={(genre) => change({ genre })}
        />
        <SelectField
          label="Category"
          choices={CATEGORY_CHOICES}
          value={values.category}
          onChange={(category) => change({ category })}
        />
        <TagField label="Tags to add" value={values.addTags} onChange={(addTags) => change({ addTags })} />
        <TagField
          label="Tags to remove"
          value={values.removeTags}
          onChange={(removeTags) => change({ removeTags })}
        />
        <TitleFields values={values} onChange={change} />
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
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={!isSendable(fields) || preview?.sum.count === 0}>
            {preview ? `Update ${videoCountText(preview.sum.count)}` : 'Preview changes'}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const isSendable = ({ addTags = [], removeTags = [], ...fields }: BulkFields): boolean =>
  [addTags, removeTags].every((tags) => tagProblem(tags) === undefined) &&
  addTags.length + removeTags.length + Object.keys(fields).length > 0

/** A text field of the bulk edit with a checkbox that clears the value of all videos. */
function ClearableField(props: {
  label: string
  maxLength: number
  value: ClearableText
  onChange: (value: ClearableText) => void
  ref?: Ref<HTMLInputElement>
}) {
  const { label, value, onChange } = props
  const isCleared = value === null
  return (
    <div className="flex items-end gap-3">
      <div className="min-w-0 flex-1">
        <TextField
          {...(props.ref && { ref: props.ref })}
          label={label}
          maxLength={props.maxLength}
          disabled={isCleared}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <label className="flex min-h-11 cursor-pointer items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-primary"
          checked={isCleared}
          onChange={(event) => onChange(event.target.checked ? null : '')}
        />
        Clear {label.toLowerCase()}
      </label>
    </div>
  )
}

/** The fields of the bulk edit that replace a text in titles. */
function TitleFields(props: {
  values: Pick<BulkValues, 'titleText' | 'titleWith'>
  onChange: (part: Partial<BulkValues>) => void
}) {
  const { values, onChange } = props
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Replace in titles"
        hint="Not case-sensitive."
        maxLength={300}
        value={values.titleText}
        onChange={({ target }) => onChange({ titleText: target.value })}
      />
      <TextField
        label="Replace with"
        hint="Leave empty to remove the text."
        maxLength={300}
        disabled={values.titleText.trim() === ''}
        value={values.titleWith}
        onChange={({ target }) => onChange({ titleWith: target.value })}
      />
    </div>
  )
}

/** Edits many videos. The first submit previews the changes, the second one starts them. */
function useBulkEdit(options: { videos: VideoSelection; fields: BulkFields; onDone: () => void }) {
  const { videos, fields, onDone } = options
  const [preview, setPreview] = useState<{ fields: BulkFields; sum: EditPreview } | null>(null)
  const form = useForm({
    send: async () => {
      if (preview === null) return setPreview({ fields, sum: await previewEdit({ videos, fields }) })
      await startEdit({ videos, fields: preview.fields })
      onDone()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Error updating videos', text: 'Please try again.' }),
  })
  return { form, preview, discardPreview: () => setPreview(null) }
}
