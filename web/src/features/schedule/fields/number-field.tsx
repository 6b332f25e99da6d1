import { typedNumber } from '@looptide/contracts/typed-text'
import { useState } from 'react'
import { TextField, type TextFieldProps } from '../../../ui/field.tsx'

/** A number or nothing. A typed number is applied as soon as it is valid; an empty field is undefined. */
export function NumberField({
  value,
  min,
  max,
  step,
  onChange,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'type' | 'min' | 'max' | 'step'> & {
  min: number
  max: number
  /** Of which the number is a multiple; default: any number. */
  step?: number
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={typed ?? value ?? ''}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = typedNumber(target.value)
        if (target.value.trim() === '') onChange(undefined)
        else if (number >= min && number <= max && (step === undefined || Number.isInteger(number / step)))
          onChange(number)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
