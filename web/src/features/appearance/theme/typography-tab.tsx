import { THEME_FONTS, type ThemeBody } from '@looptide/contracts/http/admin'
import { SelectField } from '../../../ui/select-field.tsx'
import { SliderField } from '../../../ui/slider-field.tsx'

const FONTS = THEME_FONTS.map((font) => ({ value: font, label: font }))

export function TypographyTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  const { theme, onChange } = props
  return (
    <div className="grid max-w-md gap-6">
      <SelectField
        label="Font Family"
        choices={FONTS}
        value={theme.fontFamily}
        onChange={(fontFamily) => onChange({ fontFamily })}
      />
      <SliderField
        label="Font Size"
        min={12}
        max={24}
        unit="px"
        value={theme.fontSize}
        onChange={(fontSize) => onChange({ fontSize })}
      />
    </div>
  )
}
