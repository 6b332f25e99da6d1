import { DEFAULT_THEME, type ThemeBody } from '@looptide/contracts/http/admin'
import { useActiveTheme } from './api.ts'
import { useLocalTheme } from './local-theme.ts'
import { useThemePreview } from './theme-preview.ts'

/** The theme in which this page is drawn: the one that is being tried, else this browser's, else the station's. */
export function useThemeInUse(): ThemeBody {
  const { data: station } = useActiveTheme()
  const local = useLocalTheme(station)
  const preview = useThemePreview()
  return preview ?? local ?? station ?? DEFAULT_THEME
}
