import { TextArea, TextField } from '../../../ui/field.tsx'

/** Values of the channel form. An empty position means the default. */
export type ChannelFormValues = { name: string; description: string; position: string }

/** Form fields of a channel, for creating and editing. */
export function ChannelFields(props: {
  values: ChannelFormValues
  /** The position that is used when the field is empty. */
  placeholder?: string | undefined
  onChange: (values: ChannelFormValues) => void
}) {
  const { values, onChange } = props
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.target.value })}
      />
      <TextArea
        label="Description (optional)"
        maxLength={1000}
        rows={2}
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.target.value })}
      />
      <TextField
        label="Position"
        type="number"
        inputMode="numeric"
        min={1}
        max={10_000}
        placeholder={props.placeholder}
        value={values.position}
        onChange={(event) => onChange({ ...values, position: event.target.value })}
      />
    </>
  )
}
