import { isTimeZone } from '@looptide/planner/local-days'
import { useId, useState } from 'react'
import { TextField } from '../../../ui/field.tsx'

/** The time zone of a schedule: a text field with all IANA zones to choose from. Applies a known zone only. */
export function TimeZoneField(props: {
  value: string
  problem?: string | undefined
  onChange: (zone: string) => void
}) {
  const id = useId()
  const [text, setText] = useState<string>()
  const typed = text ?? props.value
  const isUnknown = !isTimeZone(typed)
  return (
    <>
      <TextField
        label="Time zone"
        list={id}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        hint="Times of the schedule are local times of this zone."
        error={isUnknown ? 'Choose a time zone from the list, such as Europe/Berlin' : props.problem}
        value={typed}
        onChange={(event) => {
          setText(event.target.value)
          if (isTimeZone(event.target.value)) props.onChange(event.target.value)
        }}
        onBlur={() => isUnknown || setText(undefined)}
      />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
