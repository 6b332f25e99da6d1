import { type KeyboardEvent, useState } from 'react'
import { FieldFrame, useDescription } from '../../../../ui/field.tsx'
import { Icon } from '../../../../ui/icon.tsx'

/** Most entries and most characters of one (packages/contracts/src/schedule.ts, `Texts`). */
const MAX_TOKENS = 50
const MAX_LENGTH = 100

/** A list of texts: each is added with Enter, or when the field is left, and removed with a button. */
export function TokenField(props: {
  label: string
  hint?: string
  values: readonly string[]
  onChange: (values: string[]) => void
}) {
  const { label, hint, values, onChange } = props
  const { id, textId, text } = useDescription({ label, hint })
  const [typed, setTyped] = useState('')
  const add = () => {
    const token = typed.trim()
    setTyped('')
    const isKnown = values.some((value) => value.toLowerCase() === token.toLowerCase())
    if (token && !isKnown && values.length < MAX_TOKENS) onChange([...values, token])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed.trim() === '') return
    event.preventDefault()
    add()
  }
  return (
    <FieldFrame id={id} textId={textId} text={text} isError={false} label={label}>
      {values.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {values.map((value) => (
            <li key={value}>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => onChange(values.filter((one) => one !== value))}
                className="lift flex min-h-9 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium wrap-anywhere hover:bg-line"
              >
                {value}
                <Icon name="close" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        className="field"
        maxLength={MAX_LENGTH}
        autoComplete="off"
        aria-describedby={textId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={add}
      />
    </FieldFrame>
  )
}
