import type { Programme } from '@looptide/contracts/http/channels'
import { useBrand } from '../../lib/api/use-config.ts'
import { useCardTexts } from '../../lib/theme/card-texts.ts'
import { whyText } from '../../lib/why-text.ts'
import { cardInfo, currentCard } from './card-content.ts'
import type { LiveState } from './player/live-state.ts'

/** What is on, in words. `programmes` are those of the timeline from the current one on. */
export function useNowPlayingTexts(
  state: LiveState,
  isUnavailable: boolean,
  programmes: readonly Programme[] = [],
) {
  const { shortName } = useBrand()
  const texts = useCardTexts()
  const { programme, selected, substitute } = state
  const card = currentCard(programmes, state)
  if (card) return { ...cardInfo(card, programmes, texts), why: card.block?.name }
  const onAir = programmes.find(({ id }) => id === programme?.id)
  const own = selected ?? substitute
  const shown = own ?? programme?.video
  return {
    title: shown?.title ?? 'Continuous Live Stream',
    detail: shown?.artistName ?? shortName,
    note: own ? 'Playing only for you' : (pictureProblem(state, isUnavailable) ?? '24/7 • HD Quality'),
    why: onAir?.kind === 'video' && !own ? whyText(onAir) : undefined,
  }
}

/** What is said instead of the quality while there is no picture. */
function pictureProblem({ phase, error }: LiveState, isUnavailable: boolean): string | undefined {
  if (isUnavailable) return 'Not connected'
  if (phase === 'off-air') return 'Off the air'
  if (phase === 'unreachable' || (phase === 'loading-next' && error)) return 'No picture'
  return undefined
}
