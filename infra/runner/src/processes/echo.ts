const warn = 40
const levels: Record<number, string> = { 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' }
const sameLineMs = 60_000

/**
 * The operator's version of a service's log line as text.
 *
 * @param least the least level shown; warnings by default
 * @returns undefined for lines that belong only in the log file
 */
export function readableLine(name: string, line: string, least = warn): string | undefined {
  if (line.trim() === '') return undefined
  const entry = parse(line)
  if (entry === undefined) return `  ${name}: ${line}`
  const level = Number(entry.level)
  if (!(level >= least)) return undefined
  const error =
    typeof entry.err === 'object' && entry.err !== null && 'message' in entry.err
      ? entry.err.message
      : undefined
  const reason = typeof error === 'string' ? ` (${error.split('\n')[0]})` : ''
  return `  ${name}: ${levels[level] ?? ''}${String(entry.msg ?? '')}${reason}`
}

/** Shows the warnings of services on the terminal, each at most once a minute, and the whole log of some. */
export class Echo {
  readonly #say: (text: string) => void
  readonly #shownInFull: ReadonlySet<string>
  readonly #now: () => number
  readonly #shown = new Map<string, number>()
  /** Off while the station starts and stops: services then miss each other, which is expected. */
  enabled = false

  constructor(
    say: (text: string) => void,
    shownInFull: readonly string[] = [],
    now: () => number = () => performance.now(),
  ) {
    this.#say = say
    this.#shownInFull = new Set(shownInFull)
    this.#now = now
  }

  line(name: string, line: string): void {
    if (!this.enabled) return
    const isInFull = this.#shownInFull.has(name)
    const text = readableLine(name, line, isInFull ? 0 : warn)
    if (text !== undefined && (isInFull || this.#isNew(text))) this.#say(text)
  }

  /** Whether the text has not been shown within the last minute. */
  #isNew(text: string): boolean {
    const now = this.#now()
    for (const [shown, at] of this.#shown) if (now - at > sameLineMs) this.#shown.delete(shown)
    if (this.#shown.has(text)) return false
    this.#shown.set(text, now)
    return true
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
