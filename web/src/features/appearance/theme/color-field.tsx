import { useState } from 'react'
import { FieldFrame, useDescription } from '../../../ui/field.tsx'

const HEX = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i

/** Parses a typed color (3 or 6 hex digits, with or without `#`) as `#rrggbb`; undefined if it is invalid. */
export function parseColor(text: string): string | undefined {
  const digits = HEX.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`
}

/** Color field with a picker and a text input. A typed text is applied once it is a valid color. */
export function ColorField(props: {
  label: string
  hint: string
  value: string
  onChange: (color: string) => void
}) {
  const { label, hint, value, onChange } = props
  const [typed, setTyped] = useState<string>()
  const isInvalid = typed !== undefined && parseColor(typed) === undefined
  const error = isInvalid ? 'Please enter a color such as #2563eb' : undefined
  const { id, textId, text } = useDescription({ label, hint, error })
  return (
    <FieldFrame id={id} textId={textId} text={text} isError={isInvalid} label={label}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={`Pick ${label}`}
          value={value}
          onChange={(event) => {
            setTyped(undefined)
            onChange(event.target.value)
          }}
          className="h-11 w-14 shrink-0 cursor-pointer rounded-md border border-edge bg-deep p-1"
        />
        <input
          id={id}
          className="field font-mono"
          value={typed ?? value}
          maxLength={9}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={textId}
          aria-invalid={isInvalid || undefined}
          onChange={(event) => {
            setTyped(event.target.value)
            const color = parseColor(event.target.value)
            if (color) onChange(color)
          }}
          onBlur={() => setTyped(undefined)}
        />
      </div>
    </FieldFrame>
  )
}
