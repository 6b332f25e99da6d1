import { CARD_SIZE, type Card } from './card.ts'
import { breakLines } from './line-breaks.ts'
import { directionOf, type OpenFont, shapeText, type Weight } from './shape-text.ts'

interface TextStyle {
  /** Pixels per em. */
  size: number
  weight: Weight
  color: string
}

/** The edges of the texts, in pixels. */
const LEFT = 104
const RIGHT = CARD_SIZE.width - 84
const TOP = 72
const LINE_HEIGHT = 1.2
/** Between the title and the detail, in pixels. */
const GAP = 18
/** From the top of a line to its baseline, in em. */
const BASELINE = 0.95

const PLACE: TextStyle = { size: 36, weight: 400, color: '#d5d8dc' }
const BADGE: TextStyle = { size: 30, weight: 700, color: '#ffffff' }
const DETAIL: TextStyle = { size: 44, weight: 400, color: '#d5d8dc' }
const STATION: TextStyle = { size: 34, weight: 700, color: '#f59e0b' }
const titleStyle = (title: string): TextStyle => ({
  size: title.length > 40 ? 64 : 84,
  weight: 700,
  color: '#ffffff',
})

/** The texts of a card that are no part of it. */
export const FIXED_TEXTS = 'LIVE…'

/**
 * The card as SVG. Its letters are outlines, so that no text is markup. `fonts` have the letters of the card and of
 * {@link FIXED_TEXTS}.
 */
export function cardPicture(
  { label, isLive, title, detail, stationName }: Card,
  fonts: readonly OpenFont[],
): string {
  const titleLines = linesOf(title, 3, titleStyle(title), fonts)
  const detailLines = linesOf(detail, 2, DETAIL, fonts)
  const height = heightOf(titleLines) + (detail === '' ? 0 : GAP) + heightOf(detailLines)
  const top = (CARD_SIZE.height - height) / 2
  const [badge] = isLive ? linesOf('LIVE', 1, BADGE, fonts) : []
  const [place] = linesOf(label, 1, PLACE, fonts)
  const [station] = linesOf(stationName, 1, STATION, fonts)
  const badgeWidth = badge === undefined ? 0 : badge.width + 36
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_SIZE.width}" height="${CARD_SIZE.height}">`,
    '<linearGradient id="ground" x2="1" y2="1"><stop stop-color="#1f2937"/><stop offset="1" stop-color="#0b0f14"/></linearGradient>',
    '<rect width="100%" height="100%" fill="url(#ground)"/><rect width="20" height="100%" fill="#f59e0b"/>',
    badge && `<rect x="${LEFT}" y="${TOP - 2}" width="${badgeWidth}" height="48" rx="8" fill="#c81e1e"/>`,
    badge?.at(LEFT + 18, TOP + 4),
    place?.at(badge === undefined ? LEFT : LEFT + badgeWidth + 24, TOP),
    block(titleLines, top),
    block(detailLines, top + heightOf(titleLines) + GAP),
    station?.at(LEFT, CARD_SIZE.height - TOP - station.height),
    '</svg>',
  ].join('')
}

/** A line of text; sizes are in pixels. One that is written from right to left ends at the right edge. */
interface Line {
  width: number
  height: number
  at(left: number, top: number): string
}

const heightOf = (lines: readonly Line[]): number => lines.reduce((sum, { height }) => sum + height, 0)

/** Lines below each other. */
const block = (lines: readonly Line[], top: number): string =>
  lines.map((line, index) => line.at(LEFT, top + heightOf(lines.slice(0, index)))).join('')

function linesOf(
  text: string,
  maxLines: number,
  { size, weight, color }: TextStyle,
  fonts: readonly OpenFont[],
): Line[] {
  const direction = directionOf(text)
  const shaped = (line: string) => shapeText(line, direction, weight, fonts)
  const lines = breakLines(text, maxLines, (line) => shaped(line).width * size <= RIGHT - LEFT)
  return lines.map((line) => {
    const { width, outlines } = shaped(line)
    return {
      width: width * size,
      height: size * LINE_HEIGHT,
      at(left, top) {
        const x = direction === 'rtl' ? RIGHT - width * size : left
        return `<g fill="${color}" transform="translate(${x} ${top + size * BASELINE}) scale(${size})">${outlines}</g>`
      },
    }
  })
}
