import { MAX_WORD_ENTRIES, WORD_ACTIONS, WORD_ENTRY_MAX, type WordEntry } from './http/word-list.ts'

/**
 * The word list as lines of text: `mask: word`, `hold: word`, `refuse: /pattern/`. A line without an action refuses. A backslash before a
 * word makes it a word: `\/x/` is the word `/x/`. Empty lines and those that begin with `#` are skipped.
 */

const ACTION = new RegExp(`^(${WORD_ACTIONS.join('|')})\\s*:`, 'i')
const PATTERN = /^\/(.+)\/$/u
/** Words that would be read as something else without a backslash before them. */
const AMBIGUOUS = /^(?:\/.+\/$|\\)/u

/** What is wrong with a line; lines are counted from 1. */
export interface LineProblem {
  line: number
  message: string
}

/** The entries of a text, without repeated ones, the line of each, and what is wrong with others. */
export function readWordLines(text: string): {
  entries: WordEntry[]
  lineOf: number[]
  problems: LineProblem[]
} {
  const entries = new Map<string, { entry: WordEntry; line: number }>()
  const problems: LineProblem[] = []
  for (const [index, raw] of text.split(/\r\n?|\n/).entries()) {
    const content = raw.trim()
    if (content === '' || content.startsWith('#')) continue
    const line = index + 1
    const entry = entryOf(content)
    if (entry.text === '') problems.push({ line, message: 'There is no word after the action.' })
    else if ([...entry.text].length > WORD_ENTRY_MAX)
      problems.push({ line, message: `An entry has at most ${WORD_ENTRY_MAX} characters.` })
    else if (!entries.has(wordLine(entry))) entries.set(wordLine(entry), { entry, line })
  }
  const found = [...entries.values()]
  const [excess] = found.slice(MAX_WORD_ENTRIES)
  if (excess !== undefined)
    problems.push({ line: excess.line, message: `The list has at most ${MAX_WORD_ENTRIES} entries.` })
  return { entries: found.map(({ entry }) => entry), lineOf: found.map(({ line }) => line), problems }
}

function entryOf(content: string): WordEntry {
  const given = ACTION.exec(content)?.[1]?.toLowerCase()
  const action = WORD_ACTIONS.find((name) => name === given) ?? 'refuse'
  const text = content.replace(ACTION, '').trim()
  if (text.startsWith('\\')) return { action, kind: 'word', text: text.slice(1).trim() }
  const pattern = PATTERN.exec(text)?.[1]
  return pattern === undefined ? { action, kind: 'word', text } : { action, kind: 'pattern', text: pattern }
}

function wordLine({ action, kind, text }: WordEntry): string {
  if (kind === 'pattern') return `${action}: /${text}/`
  return `${action}: ${AMBIGUOUS.test(text) ? '\\' : ''}${text}`
}

/** The lines of a word list, from which {@link readWordLines} reads the same list. */
export const wordLines = (entries: readonly WordEntry[]): string => entries.map(wordLine).join('\n')
