const isValidText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Whether Postgres can store every string in this JSON value. `text` refuses NUL (22021), `jsonb` also lone surrogates
 * (22P02): the client must get a 400 for both, not a 500. Iterative, because a body can be nested too deeply for recursion.
 */
export function isStorableInPostgres(value: unknown): boolean {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (!isValidText(next)) return false
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        if (!isValidText(key)) return false
        pending.push(inner)
      }
    }
  }
  return true
}
