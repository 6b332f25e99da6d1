import type { CardProgramme, Programme } from '@looptide/contracts/http/channels'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { useCardTexts } from '../../lib/theme/card-texts.ts'
import { CountdownCard, StationCard, VideosCard } from '../../ui/programme-cards.tsx'
import { startingName, videosAfter } from './card-content.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

/** Videos on a card "coming up next". */
const NEXT_COUNT = 3

/** A card between two videos, over the whole picture. `programmes` are those of the timeline from the card on. */
export function CardPicture({ card, programmes }: { card: CardProgramme; programmes: readonly Programme[] }) {
  const texts = useCardTexts()
  const { logoUrl } = useStationPictures()
  const next = videosAfter(programmes, card, NEXT_COUNT)
  if (card.kind === 'countdown') return <Countdown card={card} programmes={programmes} />
  if (card.ident === 'next' && next.length > 0) {
    return <VideosCard heading={texts.cardNextText} videos={next.map(({ video }) => video)} />
  }
  if (card.ident === 'previous' && card.previous) {
    return <VideosCard heading={texts.cardPreviousText} videos={[card.previous]} />
  }
  return <StationCard name={texts.cardStationName} logoUrl={logoUrl} />
}

function Countdown({ card, programmes }: { card: CardProgramme; programmes: readonly Programme[] }) {
  const { cardCountdownText, cardStationName } = useCardTexts()
  const secondsLeft = useSecondsLeft(card.endsAtMs)
  const name = startingName(programmes, card) ?? cardStationName
  return <CountdownCard heading={cardCountdownText} name={name} secondsLeft={secondsLeft} />
}
