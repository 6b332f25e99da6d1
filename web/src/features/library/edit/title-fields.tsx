import { TextField } from '../../../ui/field.tsx'
import type { BulkValues } from './bulk-fields.ts'

/** The fields of the bulk edit that replace a text in titles. */
export function TitleFields(props: {
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
