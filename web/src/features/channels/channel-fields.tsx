import { typedNumber } from '@looptide/contracts/typed-text'
import type { Dispatch, SetStateAction } from 'react'
import { TextArea, TextField } from '../../ui/field.tsx'
import type { FieldProblem, FormState } from '../../ui/use-form.ts'
import { ChannelLogoField } from './channel-logo-field.tsx'

const MAX_POSITION = 10_000

/** Values of the channel form. An empty position means the default. */
export interface ChannelFormValues {
  name: string
  description: string
  position: string
  logoUrl: string | null
}

/** The problem of an invalid position. */
export function channelProblem({ position }: Pick<ChannelFormValues, 'position'>): FieldProblem | undefined {
  const value = typedNumber(position)
  if (position === '' || (Number.isInteger(value) && value >= 1 && value <= MAX_POSITION)) return undefined
  return { field: 'position', description: `Enter a whole number from 1 to ${MAX_POSITION}` }
}

/** Form fields of a channel, for creating and editing. */
export function ChannelFields(props: {
  form: Pick<FormState, 'field'>
  values: ChannelFormValues
  /** The position that is used when the field is empty. */
  placeholder?: string | undefined
  onChange: Dispatch<SetStateAction<ChannelFormValues>>
}) {
  const { form, values, onChange } = props
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
        inputMode="numeric"
        autoComplete="off"
        placeholder={props.placeholder}
        {...form.field('position')}
        value={values.position}
        onChange={(event) => onChange({ ...values, position: event.target.value })}
      />
      <ChannelLogoField
        name={values.name}
        url={values.logoUrl}
        // The other fields may have changed while the picture was uploaded.
        onChange={(logoUrl) => onChange((known) => ({ ...known, logoUrl }))}
      />
    </>
  )
}
