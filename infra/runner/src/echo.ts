const warn = 40
const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' }

/**
 * What of a service's log line belongs on the operator's terminal: warnings and worse, in words.
 *
 * @returns undefined for what only the log file needs
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

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
