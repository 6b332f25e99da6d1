import type { BulkFields } from '@looptide/contracts/http/video-edits'
import { useRef, useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { CATEGORIES } from '../../admin/categories.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { TagField } from '../tags/tag-field.tsx'
import { tagProblem } from '../tags/tag-text.ts'
import { type BulkValues, bulkFieldsOf, NO_CHANGES } from './bulk-fields.ts'
import { ClearableField } from './clearable-field.tsx'
import { previewLines } from './preview-text.ts'
import { TitleFields } from './title-fields.tsx'
import { useBulkEdit } from './use-bulk-edit.ts'

const CATEGORY_CHOICES = [
  { value: '', label: 'No change' } as const,
  ...CATEGORIES.map((value) => ({ value, label: value })),
]

/** Edits artist, genre, category, tags and titles of the selected videos, after a preview of the changes. */
export function BulkEditDialog(props: {
  ids: readonly string[]
  onChanged: () => void
  onDone: () => void
  onClose: () => void
}) {
  const { ids, onClose } = props
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
      title={`Edit ${videoCountText(ids.length)}`}
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
