import { TextField } from '../../../ui/field.tsx'

/** A local date (`2026-11-27`) or a time of day (`20:00`); empty while it is not complete. `field`: as a form gives it. */
export function TimeField(props: {
  label: string
  type: 'date' | 'time'
  field: { name: string; error: string | undefined }
  value: string
  onChange: (value: string) => void
}) {
  const { label, type, field, value, onChange } = props
  return (
    <TextField
      label={label}
      type={type}
      {...field}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
