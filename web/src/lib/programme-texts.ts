import type { CardProgramme, Programme } from '@looptide/contracts/http/channels'

const IDENTS = { station: 'Station ident', next: 'Coming up next', previous: 'You just saw' } as const

/** What admins see of a card in lists of programmes. */
const cardName = ({ ident }: Pick<CardProgramme, 'ident'>): string =>
  ident === null ? 'Countdown' : IDENTS[ident]

/** The two lines of a programme in a list: title and artist of a video; name and block of a card. */
export function programmeTexts(programme: Programme): { title: string; detail: string | null } {
  if (programme.kind !== 'video') return { title: cardName(programme), detail: programme.block?.name ?? null }
  return { title: programme.video.title, detail: programme.video.artistName }
}
