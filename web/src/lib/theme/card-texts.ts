import {
  type CardTexts,
  DEFAULT_CARD_TEXTS,
  DEFAULT_THEME,
  type ThemeBody,
} from '@looptide/contracts/http/themes'
import { useBrand } from '../api/use-config.ts'
import { useActiveTheme } from './api.ts'
import { useLocalTheme } from './local-theme.ts'
import { useThemePreview } from './theme-preview.ts'

/** The texts of the cards between videos in the theme of this page. `cardStationName` is never empty. */
export function useCardTexts(): CardTexts {
  const theme = useThemeInUse()
  const { name } = useBrand()
  return cardTextsOf(theme, name)
}

/** The card texts of a theme; a theme that an earlier release has stored in this browser has none. */
export function cardTextsOf(theme: Partial<CardTexts>, stationName: string): CardTexts {
  const texts = { ...DEFAULT_CARD_TEXTS, ...theme }
  return { ...texts, cardStationName: texts.cardStationName || stationName }
}

/** The theme applied to this page: the previewed one, else the one stored in this browser, else the station's. */
function useThemeInUse(): ThemeBody {
  const { data: station } = useActiveTheme()
  const local = useLocalTheme(station)
  const preview = useThemePreview()
  return preview ?? local ?? station ?? DEFAULT_THEME
}
