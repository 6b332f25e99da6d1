import { useState } from 'react'
import { TextField, type TextFieldProps } from '../../../../ui/field.tsx'

/** A number or nothing. A typed number is applied as soon as it is valid; an empty field is undefined. */
export function NumberField({
  value,
  onChange,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> & {
  min: number
  max: number
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextField
      type="number"
      inputMode="decimal"
      {...rest}
      value={typed ?? value ?? ''}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = target.valueAsNumber
        if (target.value === '') onChange(undefined)
        else if (number >= rest.min && number <= rest.max) onChange(number)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
