import { createHash } from 'node:crypto'

/** The texts of a picture for link previews. */
export interface Card {
  /** Above the title: where it is on, or what it is. */
  label: string
  isLive: boolean
  title: string
  /** Below the title. */
  detail: string
  stationName: string
}

/** Pixels: the size that link previews show without a margin. */
export const CARD_SIZE = { width: 1200, height: 630 } as const

/** What the font of the cards has: Latin letters, punctuation, currency signs and arrows of common titles. */
const DRAWABLE = /^[\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122]*$/

/** Whether all texts can be drawn. Others would have empty boxes instead of letters. */
export const isDrawable = ({ label, title, detail, stationName }: Card): boolean =>
  [label, title, detail, stationName].every((text) => DRAWABLE.test(text))

/** Identifies what is drawn. */
export const cardKey = (card: Card): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('hex').slice(0, 16)
