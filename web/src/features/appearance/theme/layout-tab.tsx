import type { ThemeBody } from '@looptide/contracts/http/admin'
import { SliderField } from '../../../ui/slider-field.tsx'

export function LayoutTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  return (
    <div className="max-w-md">
      <SliderField
        label="Border Radius"
        min={0}
        max={20}
        unit="px"
        value={props.theme.borderRadius}
        onChange={(borderRadius) => props.onChange({ borderRadius })}
      />
    </div>
  )
}
