import { useId } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { COLOURS } from '../blocks/programme-values.ts'

/** A colour for the guide, or none. */
export function ColourField(props: {
  value: string | undefined
  onChange: (colour: string | undefined) => void
}) {
  const name = useId()
  const { value } = props
  const isCustom = value !== undefined && !COLOURS.some((colour) => colour.value === value)
  const choices: { value: string | undefined; name: string }[] = [
    { value: undefined, name: 'No colour' },
    ...COLOURS,
    ...(isCustom ? [{ value, name: `Custom, ${value}` }] : []),
  ]
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Colour in the guide</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice.name}
            title={choice.name}
            className={classNames(
              'grid size-11 place-items-center rounded-md border-2 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              choice.value === value ? 'border-text' : 'border-transparent',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              aria-label={choice.name}
              checked={choice.value === value}
              onChange={() => props.onChange(choice.value)}
            />
            <span
              aria-hidden="true"
              className="grid size-7 place-items-center rounded-full border border-edge text-xs text-muted"
              style={choice.value ? { background: choice.value } : undefined}
            >
              {choice.value ? '' : '–'}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
