import { textKey } from '@looptide/contracts/text'
import { type KeyboardEvent, useState } from 'react'
import { FieldFrame, useDescription } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** Maximum number of entries, and maximum length of one (packages/contracts/src/schedule.ts, `Texts`). */
const MAX_TOKENS = 50
const MAX_LENGTH = 100

/**
 * A list of texts, each removed with a button. Enter completes the typed one. It counts already while it is typed:
 * if leaving the field completed it, the controls below would move away under the pointer that presses them.
 */
export function TokenField(props: {
  label: string
  hint?: string
  values: readonly string[]
  onChange: (values: string[]) => void
}) {
  const { label, hint, values, onChange } = props
  const { id, textId, text } = useDescription({ label, hint })
  const [typed, setTyped] = useState('')
  const isTyping = typed.trim() !== '' && values.at(-1) === typed.trim()
  const complete = isTyping ? values.slice(0, -1) : values
  const type = (next: string) => {
    const token = next.trim()
    const isKnown = complete.some((value) => textKey(value) === textKey(token))
    setTyped(next)
    onChange(token && !isKnown && complete.length < MAX_TOKENS ? [...complete, token] : [...complete])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed.trim() === '') return
    event.preventDefault()
    setTyped('')
  }
  return (
    <FieldFrame id={id} textId={textId} text={text} isError={false} label={label}>
      {complete.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {complete.map((value) => (
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
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </FieldFrame>
  )
}
