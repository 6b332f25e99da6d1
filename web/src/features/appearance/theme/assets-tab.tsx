import type { ThemeBody } from '@looptide/contracts/http/admin'
import { AssetField } from './asset-field.tsx'

export function AssetsTab(props: { theme: ThemeBody; onChange: (part: Partial<ThemeBody>) => void }) {
  const { theme, onChange } = props
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <AssetField
        kind="logo"
        label="Logo"
        hint="Shown in the header instead of the icon and the name."
        url={theme.logoUrl}
        onChange={(logoUrl) => onChange({ logoUrl })}
      />
      <AssetField
        kind="background"
        label="Hero Background"
        hint="Shown behind the sign-in screen, and on the home page when it has no highlights."
        url={theme.heroBackgroundUrl}
        onChange={(heroBackgroundUrl) => onChange({ heroBackgroundUrl })}
      />
    </div>
  )
}
