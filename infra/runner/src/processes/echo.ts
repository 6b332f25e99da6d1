const warn = 40
const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' }
const sameLineMs = 60_000

/**
 * The operator's version of a service's log line: warnings and errors as text.
 *
 * @returns undefined for lines that belong only in the log file
 */
export function readableLine(name: string, line: string): string | undefined {
  if (line.trim() === '') return undefined
  const entry = parse(line)
  if (entry === undefined) return `  ${name}: ${line}`
  const level = Number(entry.level)
  if (!(level >= warn)) return undefined
  const error =
    typeof entry.err === 'object' && entry.err !== null && 'message' in entry.err
      ? entry.err.message
      : undefined
  const reason = typeof error === 'string' ? ` (${error.split('\n')[0]})` : ''
  return `  ${name}: ${levels[level] ?? 'warning'}: ${String(entry.msg ?? '')}${reason}`
}

/** Shows the warnings of services on the terminal, each at most once a minute. */
export class Echo {
  readonly #say: (text: string) => void
  readonly #now: () => number
  readonly #shown = new Map<string, number>()
  /** Off while the station starts and stops: services then miss each other, which is expected. */
  enabled = false

  constructor(say: (text: string) => void, now: () => number = () => performance.now()) {
    this.#say = say
    this.#now = now
  }

  line(name: string, line: string): void {
    const text = this.enabled ? readableLine(name, line) : undefined
    if (text === undefined) return
    const now = this.#now()
    for (const [shown, at] of this.#shown) if (now - at > sameLineMs) this.#shown.delete(shown)
    if (this.#shown.has(text)) return
    this.#shown.set(text, now)
    this.#say(text)
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
