import type { ErrorBody } from '@looptide/contracts/errors'
import {
  MAX_WORD_PATTERNS,
  WORD_ACTIONS,
  WORD_ENTRY_MAX_WORDS,
  type WordAction,
  type WordEntry,
} from '@looptide/contracts/http/word-list'
import { plainForm, wordsOf } from '@looptide/service-kit/text/look-alike'
import { RE2JS, RE2JSException, RE2JSSyntaxException, RE2Set } from 're2js'
import { PhraseTree } from './phrase-tree.ts'

/** Instructions of all patterns together, which limits the time that a message needs. A pattern of a few words has 20 to 60. */
const MAX_INSTRUCTIONS = 1500
/**
 * Memory for the states of all patterns, in bytes. Ordinary lists need less. Above it the patterns are simulated, which
 * costs less for a message than states that no other message uses.
 */
const STATES_BYTES = 262_144
/**
 * Instructions times characters that masking may search in a message. A pattern that matches at each position would start
 * a search there, and each may read the whole rest. A message that needs more is masked completely.
 */
const MAX_MASKING_WORK = 200_000

/** What is to be done with a message: nothing (null), or the strictest action of the entries that it contains. */
export interface WordDecision {
  action: WordAction | null
  /** The message with the words of entries that mask replaced by asterisks; unchanged if it is refused. */
  message: string
  /** Indices of the entries that the message contains. */
  matches: number[]
}

type Problems = NonNullable<ErrorBody['problems']>

interface Pattern {
  index: number
  regex: RE2JS
}

/** Parts of a message that are masked: by their start the furthest end, in UTF-16 units. */
type MaskedParts = Map<number, number>

/** A word list, prepared for messages. Entries that cannot be used are left out: {@link problems} names them. */
export class WordFilter {
  readonly #entries: readonly WordEntry[]
  readonly #phrases = new PhraseTree()
  readonly #patterns: Pattern[] = []
  /** All patterns at once: most messages match none. */
  readonly #any = new RE2Set(RE2Set.UNANCHORED, RE2JS.CASE_INSENSITIVE, STATES_BYTES)
  /** What is wrong with entries, by their place in the list; empty if all can be used. */
  readonly problems: Problems

  constructor(entries: readonly WordEntry[]) {
    this.#entries = entries
    let patterns = 0
    let instructions = 0
    this.problems = entries.flatMap(({ kind, text }, index) => {
      const problem = (message: string) => [{ path: `/entries/${index}/text`, message }]
      if (kind === 'word') {
        const refusal = this.#addPhrase(index, text)
        return refusal === undefined ? [] : problem(refusal)
      }
      patterns += 1
      if (patterns > MAX_WORD_PATTERNS) return problem(`A list has at most ${MAX_WORD_PATTERNS} patterns.`)
      const regex = compile(text)
      if (typeof regex === 'string') return problem(regex)
      if (regex.matcher('').find()) return problem('The pattern matches every message.')
      if (instructions + regex.programSize() > MAX_INSTRUCTIONS)
        return problem('The patterns up to this one are too large.')
      instructions += regex.programSize()
      this.#patterns.push({ index, regex })
      this.#any.add(text)
      return []
    })
    this.#any.compile()
  }

  /** Adds the words of an entry, or returns what is wrong with them. */
  #addPhrase(index: number, text: string): string | undefined {
    const keys = wordsOf(text).flatMap(([reading]) => (reading === undefined ? [] : [reading.key]))
    if (keys.length === 0) return 'A word has a letter or a digit.'
    if (keys.length > WORD_ENTRY_MAX_WORDS) return `An entry has at most ${WORD_ENTRY_MAX_WORDS} words.`
    this.#phrases.add(index, keys)
    return undefined
  }

  /** Decides about a message. */
  check(message: string): WordDecision {
    if (this.#entries.length === 0) return { action: null, message, matches: [] }
    const found = new Set<number>()
    const parts: MaskedParts = new Map()
    this.#phrases.find(wordsOf(message), (index, start, end) => {
      found.add(index)
      if (this.#entries[index]?.action === 'mask') addPart(parts, start, end)
    })
    if (this.#patterns.length > 0) this.#findPatterns(message, found, parts)
    const matches = [...found].toSorted((a, b) => a - b)
    const actions = new Set(matches.map((index) => this.#entries[index]?.action))
    const action = WORD_ACTIONS.find((one) => actions.has(one)) ?? null
    return { action, message: action === 'refuse' ? message : masked(message, parts), matches }
  }

  /** Patterns apply to the message as it is written, and with plain letters in place of look-alikes. */
  #findPatterns(message: string, found: Set<number>, parts: MaskedParts): void {
    const budget = { work: MAX_MASKING_WORK }
    const search = (text: string, add: (start: number, end: number) => void) => {
      for (const at of this.#any.match(text)) {
        const pattern = this.#patterns[at]
        if (pattern === undefined) continue
        found.add(pattern.index)
        if (this.#entries[pattern.index]?.action !== 'mask') continue
        if (!findAll(pattern.regex, text, budget, add)) addPart(parts, 0, message.length)
      }
    }
    search(message, (start, end) => addPart(parts, start, end))
    const { plain, starts, ends } = plainForm(message)
    if (plain !== message)
      search(plain, (start, end) => addPart(parts, starts[start] ?? 0, ends[end - 1] ?? message.length))
  }
}

/** Passes on all places of a pattern in a text. False if that needs more work than is left. */
function findAll(
  regex: RE2JS,
  text: string,
  budget: { work: number },
  add: (start: number, end: number) => void,
): boolean {
  const matcher = regex.matcher(text)
  let from = 0
  for (;;) {
    budget.work -= regex.programSize() * (text.length - from)
    if (budget.work < 0) return false
    if (!matcher.find()) return true
    add(matcher.start(), matcher.end())
    from = matcher.end()
  }
}

const addPart = (parts: MaskedParts, start: number, end: number): void => {
  parts.set(start, Math.max(end, parts.get(start) ?? 0))
}

/** The text with an asterisk for each character of these parts, except blanks. */
function masked(text: string, parts: MaskedParts): string {
  let result = ''
  let at = 0
  for (const [start, end] of [...parts].toSorted(([a], [b]) => a - b)) {
    const from = Math.max(start, at)
    if (end <= from) continue
    result += text.slice(at, from) + text.slice(from, end).replace(/\S/gu, '*')
    at = end
  }
  return result + text.slice(at)
}

/** The compiled pattern, or what is wrong with it and where. */
function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    if (!(error instanceof RE2JSSyntaxException)) return `The pattern cannot be used: ${error.message}.`
    const part = error.getPattern()
    const at = part === null ? -1 : pattern.indexOf(part)
    const place = at < 0 ? '' : ` at character ${at + 1}`
    return `The pattern is wrong${place}: ${error.getDescription()}.`
  }
}
