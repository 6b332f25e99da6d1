import { TextField } from '../../../ui/field.tsx'
import type { FormState } from '../../../ui/use-form.ts'
import { toName } from '../model/names.ts'

/** The name by which the document refers to a clock or a source, with the form in which it is saved. */
export function ReferenceNameField(props: {
  form: FormState
  text: string
  onChange: (text: string) => void
}) {
  const { form, text } = props
  const name = toName(text)
  return (
    <TextField
      label="Name"
      required
      maxLength={64}
      autoComplete="off"
      hint={name === text.trim() ? 'Letters, digits, - and _' : `Saved as ${name}`}
      {...form.field('name')}
      value={text}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}
