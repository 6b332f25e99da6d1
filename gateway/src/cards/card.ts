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

/** Code points of a text that may be drawn: more fit on no card, and each costs time and memory. */
const MAX_LETTERS = 300
/** More marks of a letter than any language writes, which would stand on other texts. */
const FURTHER_MARKS = /(?<=\p{M}{4})\p{M}+/gu

/** The card with texts as long as a card can show, without the marks of a letter after the fourth. */
export const withinLimits = ({ label, title, detail, stationName, ...card }: Card): Card => ({
  ...card,
  label: limited(label),
  title: limited(title),
  detail: limited(detail),
  stationName: limited(stationName),
})
const limited = (text: string): string =>
  Array.from(text.replace(FURTHER_MARKS, '')).slice(0, MAX_LETTERS).join('')

/** Code points without a shape, which join letters, choose one of their forms or give them a direction. */
export const FORMATS = '\u200c\u200d\u200e\u200f\ufe0e\ufe0f'

/** Letters, marks, punctuation and symbols of common titles in the scripts that the fonts of cards have. */
const DRAWABLE = new RegExp(
  `^[${[
    String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}`,
    String.raw`\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}\p{Emoji}${FORMATS}`,
    String.raw`\u4e00-\u9fff\u3000-\u3030\u30a0\u30fb\u30fc\uff01-\uff9f`,
    String.raw`\u060c\u061b\u061f\u0640\u064b-\u0655\u0670\u0964\u0965`,
    String.raw`\u0020-\u007e\u00a0-\u00bf\u00d7\u00f7\u02bb\u02bc\u2010-\u2016\u2018-\u201a\u201c-\u201e\u2020-\u2022`,
    String.raw`\u2025-\u2027\u2030\u2032\u2033\u2039-\u203c\u20a0-\u20c0\u2116\u2190-\u2199\u221e\u2460-\u2473\u2605\u2606`,
    String.raw`\u2661\u2664\u2667\u2669-\u266f`,
  ].join('')}]*$`,
  'u',
)

/**
 * Whether all texts can be drawn, judged without opening the fonts. They lack some rare letters of these scripts, such as a
 * fifth of the Han characters; then the card has no picture after all.
 */
export const isDrawable = ({ label, title, detail, stationName }: Card): boolean =>
  [label, title, detail, stationName].every((text) => DRAWABLE.test(text))

/** Identifies what is drawn. */
export const cardKey = (card: Card): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('hex').slice(0, 16)
