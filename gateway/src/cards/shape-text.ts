import { readFileSync } from 'node:fs'
import bidiFactory from 'bidi-js'
import { Blob, Direction, Face, Font, Buffer as GlyphBuffer, shape, Variation } from 'harfbuzzjs'
import { decompress } from 'wawoff2'
import { commonFilesFor, type FontFile, furtherFilesFor, lettersOf } from './card-fonts.ts'

/** A line of text as outlines. */
export interface ShapedText {
  /** In em. */
  width: number
  /** SVG, one em wide and high, with y downwards and the baseline at 0. */
  outlines: string
}

/** Letters that are drawn by one font in one direction. */
interface Run {
  font: OpenFont
  level: number
  text: string
}

export type Weight = 400 | 700

/** The package exports the function itself; its types call that `default`. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** An opened file, and the code points that it has. */
export interface OpenFont {
  face: Face
  letters: ReadonlySet<number>
}

/** By path. All files would take some 50 MB; the thread that draws ends when it is idle. */
const opened = new Map<string, OpenFont>()

/** The fonts with the letters of a text, in the order in which they are preferred. */
export async function openFonts(text: string): Promise<OpenFont[]> {
  const letters = lettersOf(text)
  const common = await openAll(commonFilesFor(letters))
  const left = letters.filter((letter) => !common.some((font) => hasLetter(font, letter)))
  return [...common, ...(await openAll(furtherFilesFor(left)))]
}

async function openAll(files: readonly FontFile[]): Promise<OpenFont[]> {
  const fonts: OpenFont[] = []
  for (const { path } of files) {
    const font = opened.get(path) ?? (await open(path))
    opened.set(path, font)
    fonts.push(font)
  }
  return fonts
}

async function open(path: string): Promise<OpenFont> {
  const face = new Face(new Blob(await decompress(readFileSync(path))))
  return { face, letters: new Set(face.collectUnicodes()) }
}

/** The direction of a text's first letter that has one (UAX #9, P2). */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

/**
 * The outlines of one line of text. A grapheme whose code points are in several fonts, such as a family, is drawn as its
 * first one. Throws if no font has a letter.
 */
export function shapeText(
  text: string,
  direction: 'ltr' | 'rtl',
  weight: Weight,
  fonts: readonly OpenFont[],
): ShapedText {
  let width = 0
  let outlines = ''
  for (const run of inVisualOrder(runsOf(text, direction, fonts))) {
    const shaped = shapeRun(run, weight)
    outlines += `<g transform="translate(${width} 0)">${shaped.outlines}</g>`
    width += shaped.width
  }
  return { width, outlines }
}

/** Splits a text where its font or its direction changes. */
function runsOf(text: string, direction: 'ltr' | 'rtl', fonts: readonly OpenFont[]): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, direction)
  const runs: Run[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    // A mark of direction, whose effect is in the levels.
    if (lettersOf(segment).length === 0) continue
    const run = { ...fontFor(segment, fonts), level: levels[index] ?? 0 }
    const last = runs.at(-1)
    if (last?.font === run.font && last.level === run.level) last.text += run.text
    else runs.push(run)
  }
  return runs
}

/** The first font with all letters of a grapheme, else the one with its first letter, which is drawn alone. */
function fontFor(grapheme: string, fonts: readonly OpenFont[]): Omit<Run, 'level'> {
  const [letter = '', ...others] = lettersOf(grapheme)
  const withFirst = fonts.filter((font) => hasLetter(font, letter))
  const withAll = withFirst.find((font) => others.every((other) => hasLetter(font, other)))
  const font = withAll ?? withFirst[0]
  if (font === undefined) throw new Error(`no font has ${letter}`)
  return { font, text: withAll === undefined ? letter : grapheme }
}

const hasLetter = ({ letters }: OpenFont, letter: string): boolean => letters.has(letter.codePointAt(0) ?? 0)

/** Reverses runs from the highest level down to the lowest odd one (UAX #9, L2). */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    let start = 0
    while (start < ordered.length) {
      const length = ordered.slice(start).findIndex((run) => run.level < level)
      const end = length === -1 ? ordered.length : start + length
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end + 1
    }
  }
  return ordered
}

/** HarfBuzz mirrors brackets in right-to-left runs and returns glyphs from left to right. */
function shapeRun({ font: { face }, level, text }: Run, weight: Weight): ShapedText {
  const font = new Font(face)
  font.setVariations([new Variation('wght', weight)])
  const buffer = new GlyphBuffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)
  shape(font, buffer)
  let x = 0
  let outlines = ''
  for (const { codepoint, xOffset = 0, yOffset = 0, xAdvance = 0 } of buffer.getGlyphInfosAndPositions()) {
    const path = font.glyphToPath(codepoint)
    if (path !== '') outlines += `<path transform="translate(${x + xOffset} ${yOffset})" d="${path}"/>`
    x += xAdvance
  }
  const em = face.upem
  return { width: x / em, outlines: `<g transform="scale(${1 / em} ${-1 / em})">${outlines}</g>` }
}
