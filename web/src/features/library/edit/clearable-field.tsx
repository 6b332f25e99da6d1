import type { Ref } from 'react'
import { TextField } from '../../../ui/field.tsx'
import type { ClearableText } from './bulk-fields.ts'

/** A text field of the bulk edit with a checkbox that clears the value of all videos. */
export function ClearableField(props: {
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
