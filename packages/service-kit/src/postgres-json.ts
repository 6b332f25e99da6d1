const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Can Postgres store every text in this JSON value? `text` refuses NUL (22021), `jsonb` also half a
 * surrogate pair (22P02): both must be the sender's fault, not the database's. Without recursion, since a
 * body may be nested as deep as it is long.
 */
export function isStorableInPostgres(value: unknown): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      if (!isText(next)) return false
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        if (!isText(key)) return false
        open.push(inner)
      }
    }
  }
  return true
}
