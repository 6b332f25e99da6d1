import { type CardTexts, DEFAULT_CARD_TEXTS } from '@looptide/contracts/http/themes'
import { useBrand } from '../api/use-config.ts'
import { useThemeInUse } from './use-theme-in-use.ts'

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
