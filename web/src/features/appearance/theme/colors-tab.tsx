import type { ThemeBody } from '@looptide/contracts/http/themes'
import { useState } from 'react'
import { FieldFrame, useDescription } from '../../../ui/field.tsx'
import { contrastNotes, parseColor } from './theme-rules.ts'

const COLORS = [
  { field: 'primaryColor', label: 'Primary Color', use: 'Buttons and links' },
  { field: 'secondaryColor', label: 'Secondary Color', use: 'Badges and tags' },
  { field: 'accentColor', label: 'Accent Color', use: 'Focus and highlights' },
  { field: 'backgroundColor', label: 'Background Color', use: 'Page background' },
  { field: 'textColor', label: 'Text Color', use: 'Body text' },
] as const

/** Colours of the theme that is being edited, with their contrast. */
export function ColorsTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  const { theme, onChange } = props
  return (
    <div className="grid gap-6">
      <div className="grid gap-5 sm:grid-cols-2">
        {COLORS.map(({ field, label, use }) => (
          <ColorField
            key={field}
            label={label}
            hint={use}
            value={theme[field]}
            onChange={(color) => onChange({ [field]: color })}
          />
        ))}
      </div>
      <div role="status" aria-label="Contrast" className="grid gap-1 text-sm text-muted">
        {contrastNotes(theme).map(({ text, isWarning }) => (
          <p key={text} className={isWarning ? 'font-medium text-text' : undefined}>
            {isWarning && '⚠ '}
            {text}
          </p>
        ))}
      </div>
    </div>
  )
}

/** Color field with a picker and a text input. A typed text is applied once it is a valid color. */
function ColorField(props: {
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
