import { useId } from 'react'
import { classNames } from './class-names.ts'

/** A segmented control: radio buttons side by side. */
export function Choice<T extends string>(props: {
  label: string
  isLabelHidden?: boolean
  options: readonly { id: T; label: string }[]
  value: T
  onChange: (value: T) => void
  disabled?: boolean
}) {
  const name = useId()
  return (
    <fieldset className="grid min-w-0 gap-1.5" disabled={props.disabled}>
      <legend className={classNames('text-sm font-medium', props.isLabelHidden ? 'sr-only' : 'mb-1.5')}>
        {props.label}
      </legend>
      <div className="flex w-fit max-w-full gap-1 rounded-md bg-deep p-1">
        {props.options.map(({ id, label }) => (
          <label
            key={id}
            className={classNames(
              // The invisible input is as large as its label: arrow keys find it there, and focus scrolls to it.
              'relative grid min-h-11 place-items-center rounded-sm px-4 text-center text-sm font-semibold',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              id === props.value ? 'bg-raised text-text' : 'text-muted hover:text-text',
            )}
          >
            <input
              type="radio"
              name={name}
              className="pointer-events-none absolute inset-0 size-full opacity-0"
              checked={id === props.value}
              onChange={() => props.onChange(id)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
