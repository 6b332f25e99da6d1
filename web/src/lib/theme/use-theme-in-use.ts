import { DEFAULT_THEME, type ThemeBody } from '@looptide/contracts/http/themes'
import { useActiveTheme } from './api.ts'
import { useLocalTheme } from './local-theme.ts'
import { useThemePreview } from './theme-preview.ts'

/** The theme applied to this page: the previewed one, else the one stored in this browser, else the station's. */
export function useThemeInUse(): ThemeBody {
  const { data: station } = useActiveTheme()
  const local = useLocalTheme(station)
  const preview = useThemePreview()
  return preview ?? local ?? station ?? DEFAULT_THEME
}
