import type { CardProgramme, Programme, VideoProgramme } from '@looptide/contracts/http/channels'
import type { CardTexts } from '@looptide/contracts/http/themes'
import { clockTime } from '../../lib/time/date-locale.ts'
import { type LiveState, shownCard } from './player/live-state.ts'

/** The card that is shown, with the fields of the timeline; undefined during a video. */
export function currentCard(
  programmes: readonly Programme[] | undefined,
  state: LiveState,
): CardProgramme | undefined {
  const id = shownCard(state)?.id
  const card = id && programmes?.find((programme) => programme.id === id)
  return card && card.kind !== 'video' ? card : undefined
}

type Placed = Pick<CardProgramme, 'endsAtMs'>

/** The first videos after a card. */
export const videosAfter = (programmes: readonly Programme[], { endsAtMs }: Placed, count: number) =>
  programmes
    .filter(
      (programme): programme is VideoProgramme =>
        programme.kind === 'video' && programme.startsAtMs >= endsAtMs,
    )
    .slice(0, count)

/** What starts when a countdown ends: the block or special, or outside blocks the next video. */
export function startingName(programmes: readonly Programme[], card: Placed): string | undefined {
  const next = programmes.find(({ startsAtMs }) => startsAtMs >= card.endsAtMs)
  return next?.block?.name ?? videosAfter(programmes, card, 1)[0]?.video.title
}

/** The texts beside the picture while a card is on. A change is announced to screen readers, once per card. */
export function cardInfo(
  card: CardProgramme,
  programmes: readonly Programme[],
  texts: CardTexts,
): { title: string; detail: string; note: string } {
  const [next] = videosAfter(programmes, card, 1)
  const station = texts.cardStationName
  if (card.kind === 'countdown') {
    const title = startingName(programmes, card) ?? station
    return { title, detail: station, note: `Starts at ${clockTime(card.endsAtMs)}` }
  }
  if (card.ident === 'previous' && card.previous) {
    const { title, artistName } = card.previous
    return { title, detail: artistName, note: texts.cardPreviousText }
  }
  if (card.ident === 'next' && next) {
    const { title, artistName } = next.video
    return { title, detail: artistName, note: texts.cardNextText }
  }
  const detail = next
    ? `${texts.cardNextText}: ${next.video.title} – ${next.video.artistName}`
    : 'Continuous Live Stream'
  return { title: station, detail, note: '24/7 • HD Quality' }
}
