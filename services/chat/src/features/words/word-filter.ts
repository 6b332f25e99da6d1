import type { ErrorBody } from '@looptide/contracts/errors'
import {
  MAX_WORD_PATTERNS,
  WORD_ACTIONS,
  type WordAction,
  type WordEntry,
} from '@looptide/contracts/http/word-list'
import { plainForm, wordsOf } from '@looptide/service-kit/text/look-alike'
import { RE2JS, RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js'

/**
 * Instructions of all patterns together, which limits the time and the memory that they need: at the limit, the slowest
 * patterns need about 0.1 s for the longest message. A pattern of a few words has 20 to 60.
 */
const MAX_INSTRUCTIONS = 4000

/** Part of a message, in UTF-16 units. */
type Range = readonly [start: number, end: number]

/** What is to be done with a message: nothing (null), or the strictest action of the entries that it contains. */
export interface WordDecision {
  action: WordAction | null
  /** The message with the words of entries that mask replaced by asterisks. */
  message: string
  /** Indices of the entries that the message contains. */
  matches: number[]
}

interface Phrase {
  index: number
  /** The key of each word. */
  keys: readonly string[]
}

interface Pattern {
  index: number
  regex: RE2JS
}

/** A word list, prepared for messages. */
export class WordFilter {
  readonly #entries: readonly WordEntry[]
  /** By the key of their first word. A message costs a look-up per word, however long the list is. */
  readonly #phrases = new Map<string, Phrase[]>()
  readonly #patterns: readonly Pattern[]
  /** All patterns at once: most messages match none. */
  readonly #any = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE)

  /** The entries must be without {@link wordProblems}. */
  constructor(entries: readonly WordEntry[]) {
    this.#entries = entries
    for (const [index, { kind, text }] of entries.entries()) {
      if (kind === 'word') this.#addPhrase(index, text)
    }
    this.#patterns = entries.flatMap(({ kind, text }, index) =>
      kind === 'pattern' ? [{ index, regex: RE2JS.compile(text, RE2JS.CASE_INSENSITIVE) }] : [],
    )
    for (const { index } of this.#patterns) this.#any.add(entries[index]?.text ?? '')
    this.#any.compile()
  }

  #addPhrase(index: number, text: string): void {
    const keys = wordsOf(text).flatMap(([reading]) => (reading === undefined ? [] : [reading.key]))
    const [first] = keys
    if (first === undefined) return
    const others = this.#phrases.get(first)
    if (others === undefined) this.#phrases.set(first, [{ index, keys }])
    else others.push({ index, keys })
  }

  /** Decides about a message. */
  check(message: string): WordDecision {
    if (this.#entries.length === 0) return { action: null, message, matches: [] }
    const found = new Map<number, Range[]>()
    this.#findPhrases(message, found)
    if (this.#patterns.length > 0) this.#findPatterns(message, found)
    const matches = [...found.keys()].toSorted((a, b) => a - b)
    const actions = new Set(matches.map((index) => this.#entries[index]?.action))
    return {
      action: WORD_ACTIONS.find((action) => actions.has(action)) ?? null,
      message: masked(
        message,
        matches.flatMap((index) => (this.#entries[index]?.action === 'mask' ? (found.get(index) ?? []) : [])),
      ),
      matches,
    }
  }

  #findPhrases(message: string, found: Map<number, Range[]>): void {
    const words = wordsOf(message)
    for (const [at, readings] of words.entries()) {
      for (const { key, start } of readings) {
        for (const { index, keys } of this.#phrases.get(key) ?? []) {
          const end = endOfPhrase(words.slice(at, at + keys.length), keys)
          if (end !== undefined) addRange(found, index, [start, end])
        }
      }
    }
  }

  /** Patterns apply to the message as it is written, and with plain letters in place of look-alikes. */
  #findPatterns(message: string, found: Map<number, Range[]>): void {
    const { plain, offsets } = plainForm(message)
    this.#matchPatterns(message, (range) => range, found)
    if (plain === message) return
    const origin = ([start, end]: Range): Range => [offsets[start] ?? 0, offsets[end] ?? message.length]
    this.#matchPatterns(plain, origin, found)
  }

  #matchPatterns(text: string, origin: (range: Range) => Range, found: Map<number, Range[]>): void {
    for (const at of this.#any.match(text)) {
      const pattern = this.#patterns[at]
      if (pattern === undefined) continue
      const matcher = pattern.regex.matcher(text)
      while (matcher.find()) addRange(found, pattern.index, origin([matcher.start(), matcher.end()]))
    }
  }
}

/** Where a phrase ends that these words begin; undefined if they are another one. */
function endOfPhrase(words: ReturnType<typeof wordsOf>, keys: readonly string[]): number | undefined {
  const ends = keys.map((key, at) => words[at]?.find((reading) => reading.key === key)?.end)
  return ends.includes(undefined) ? undefined : ends.at(-1)
}

function addRange(found: Map<number, Range[]>, index: number, range: Range): void {
  const ranges = found.get(index)
  if (ranges === undefined) found.set(index, [range])
  else ranges.push(range)
}

/** The text with an asterisk for each character of these ranges, except blanks. */
function masked(text: string, ranges: readonly Range[]): string {
  let result = ''
  let at = 0
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const from = Math.max(start, at)
    if (end <= from) continue
    result += text.slice(at, from) + text.slice(from, end).replace(/\S/gu, '*')
    at = end
  }
  return result + text.slice(at)
}

/** What is wrong with entries, by their place in the list; empty if they can be used. */
export function wordProblems(entries: readonly WordEntry[]): NonNullable<ErrorBody['problems']> {
  let patterns = 0
  let instructions = 0
  return entries.flatMap(({ kind, text }, index) => {
    const problem = (message: string) => [{ path: `/entries/${index}/text`, message }]
    if (kind === 'word') return wordsOf(text).length === 0 ? problem('A word has a letter or a digit.') : []
    patterns += 1
    if (patterns > MAX_WORD_PATTERNS) return problem(`A list has at most ${MAX_WORD_PATTERNS} patterns.`)
    const compiled = compile(text)
    if (typeof compiled === 'string') return problem(compiled)
    if (compiled.matcher('').find()) return problem('The pattern matches every message.')
    instructions += compiled.programSize()
    return instructions > MAX_INSTRUCTIONS ? problem('The patterns up to this one are too large.') : []
  })
}

/** The compiled pattern, or what is wrong with it and where. */
function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    if (!(error instanceof RE2JSSyntaxException)) return `The pattern cannot be used: ${error.message}.`
    const part = error.getPattern()
    const at = part === null ? -1 : pattern.indexOf(part)
    const place = at < 0 ? '' : ` at character ${at + 1}`
    return `The pattern is wrong${place}: ${error.getDescription()}.`
  }
}
