import type { ThemeBody } from '@looptide/contracts/http/admin'
import { ColorField } from './color-field.tsx'
import { contrastNotes } from './contrast-note.ts'

const COLORS = [
  { field: 'primaryColor', label: 'Primary Color', use: 'Buttons and links' },
  { field: 'secondaryColor', label: 'Secondary Color', use: 'Badges and tags' },
  { field: 'accentColor', label: 'Accent Color', use: 'Focus and highlights' },
  { field: 'backgroundColor', label: 'Background Color', use: 'Page background' },
  { field: 'textColor', label: 'Text Color', use: 'Body text' },
] as const

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
