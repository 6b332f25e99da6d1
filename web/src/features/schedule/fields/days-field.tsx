import type { Weekday } from '@looptide/contracts/schedule'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ALL_DAYS, WEEKDAYS, WEEKEND, WORKDAYS } from '../model/times.ts'

const PRESETS = [
  { label: 'Every day', days: ALL_DAYS },
  { label: 'Monday to Friday', days: WORKDAYS },
  { label: 'Weekend', days: WEEKEND },
]

/** Days of the week as checkboxes, with presets. `disabled` is a day that cannot be chosen. */
export function DaysField(props: {
  label: string
  value: readonly Weekday[]
  disabled?: Weekday
  error?: string | undefined
  onChange: (days: Weekday[]) => void
}) {
  const { value, onChange } = props
  const set = (days: readonly Weekday[]) =>
    onChange(ALL_DAYS.filter((day) => days.includes(day) && day !== props.disabled))
  const toggle = (day: Weekday) =>
    set(value.includes(day) ? value.filter((one) => one !== day) : [...value, day])
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{props.label}</legend>
      <div className="grid grid-cols-7 gap-1">
        {WEEKDAYS.map(({ id, name, short }) => (
          <label
            key={id}
            title={name}
            className={classNames(
              'grid min-h-11 place-items-center rounded-md border text-sm font-semibold has-disabled:opacity-55',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              value.includes(id) ? 'border-primary-edge bg-primary text-on-primary' : 'border-edge bg-deep',
            )}
          >
            <input
              type="checkbox"
              className="sr-only"
              aria-label={name}
              checked={value.includes(id)}
              disabled={id === props.disabled}
              onChange={() => toggle(id)}
            />
            <span aria-hidden="true">{short}</span>
          </label>
        ))}
      </div>
      {props.error && (
        <p role="alert" className="text-sm font-medium">
          <span aria-hidden="true">⚠ </span>
          {props.error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {PRESETS.map(({ label, days }) => (
          <Button key={label} className="px-3" onClick={() => set(days)}>
            {label}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
