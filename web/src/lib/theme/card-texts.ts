import { type CardTexts, DEFAULT_CARD_TEXTS } from '@looptide/contracts/http/admin'
import { useBrand } from '../api/use-config.ts'
import { useActiveTheme } from './api.ts'
import { useLocalTheme } from './local-theme.ts'
import { useThemePreview } from './theme-preview.ts'

/** The texts of the cards between videos, as the theme of this page has them. `cardStationName` is never empty. */
export function useCardTexts(): CardTexts {
  const { data: station } = useActiveTheme()
  const local = useLocalTheme(station)
  const preview = useThemePreview()
  const { name } = useBrand()
  return cardTextsOf(preview ?? local ?? station, name)
}

/** The card texts of a theme; a theme that an earlier release has stored in this browser has none. */
export function cardTextsOf(theme: Partial<CardTexts> | undefined, stationName: string): CardTexts {
  const texts = { ...DEFAULT_CARD_TEXTS, ...theme }
  return { ...texts, cardStationName: texts.cardStationName || stationName }
}
