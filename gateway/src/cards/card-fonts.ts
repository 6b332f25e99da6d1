import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { FORMATS } from './card.ts'

// The fonts of cards: Noto (OFL-1.1). Its packages have many files of some hundred letters each, so that a card needs only a
// few of them. Their `unicode.json` says for which letters a browser would load which file.

const { resolve } = createRequire(import.meta.url)

/** Subsets of the families after the first: the letters of their own scripts, not those which the first has too. */
const OWN_SUBSET = /^(\[\d+\]|arabic|hebrew|thai)$/
/** The first is the common one. */
const FAMILIES = [
  'noto-sans',
  'noto-sans-jp',
  'noto-sans-sc',
  'noto-sans-kr',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-emoji',
] as const

/** A file of a font, whose weight varies. */
export interface FontFile {
  path: string
  /** The first and the last code point of each range of letters: of CJK fonts there are thousands. */
  ranges: Uint32Array
}

const families = new Map<string, readonly FontFile[]>()

/** The files of a family. They are read once by each thread that draws. */
function filesOf(family: string): readonly FontFile[] {
  const known = families.get(family) ?? readFiles(family)
  families.set(family, known)
  return known
}

function readFiles(family: string): readonly FontFile[] {
  const folder = `@fontsource-variable/${family}`
  const subsets = JSON.parse(readFileSync(resolve(`${folder}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >
  const isFirst = family === FAMILIES[0]
  const used = Object.entries(subsets).filter(([subset]) => isFirst || OWN_SUBSET.test(subset))
  return used.map(([subset, ranges]) => ({
    path: resolve(`${folder}/files/${family}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: parseRanges(ranges),
  }))
}

/** Reads what CSS calls `unicode-range`, such as `U+41-5a,U+3042`. */
function parseRanges(text: string): Uint32Array {
  return Uint32Array.from(
    text.split(',').flatMap((range) => {
      const [first = '', last = first] = range.trim().slice(2).split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
    }),
  )
}

/** The files of the common font for letters. */
export const commonFilesFor = (letters: readonly string[]): FontFile[] => filesFor(FAMILIES[0], letters)

/** The files of other fonts for letters, those first whose font is for most of them: it has the forms of their language. */
export const furtherFilesFor = (letters: readonly string[]): FontFile[] =>
  FAMILIES.slice(1)
    .map((family) => {
      const files = filesFor(family, letters)
      return { files, count: letters.filter((letter) => files.some((file) => isFor(file, letter))).length }
    })
    .toSorted((one, other) => other.count - one.count)
    .flatMap(({ files }) => files)

const filesFor = (family: string, letters: readonly string[]): FontFile[] =>
  letters.length === 0 ? [] : filesOf(family).filter((file) => letters.some((letter) => isFor(file, letter)))

/** The code points of a text that need a font, each once. */
export const lettersOf = (text: string): string[] =>
  [...new Set(text)].filter((letter) => !FORMATS.includes(letter))

const codeOf = (letter: string): number => letter.codePointAt(0) ?? 0

function isFor({ ranges }: FontFile, letter: string): boolean {
  const code = codeOf(letter)
  return ranges.some((bound, index) => index % 2 === 0 && bound <= code && code <= (ranges[index + 1] ?? 0))
}
