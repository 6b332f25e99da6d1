import { useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** A labelled select. With `isLabelHidden` only screen readers get the label. */
export function SelectField<T extends string>(props: {
  label: string
  isLabelHidden?: boolean
  choices: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
  className?: string
}) {
  const id = useId()
  return (
    <div className={classNames('grid gap-1.5', props.className)}>
      <label htmlFor={id} className={props.isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {props.label}
      </label>
      <div className="relative">
        <select
          id={id}
          // Spatial navigation finds a select only with a tab index.
          tabIndex={0}
          value={props.value}
          onChange={(event) => {
            const chosen = props.choices.find(({ value }) => value === event.target.value)
            if (chosen) props.onChange(chosen.value)
          }}
          className="field appearance-none pr-10"
        >
          {props.choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Icon
          name="down"
          className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-muted"
        />
      </div>
    </div>
  )
}
