import { AppError } from './errors.ts'

/** A place in a list as an opaque text: the sort key of the last row that was answered. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** The key of {@link encodeCursor}, or `invalid_cursor`. `types` says what each part must be. */
export function decodeCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string,
  types: T,
): { [K in keyof T]: T[K] extends 'number' ? number : string } {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const fits =
      Array.isArray(key) && key.length === types.length && types.every((type, i) => typeof key[i] === type)
    if (fits) return key as { [K in keyof T]: T[K] extends 'number' ? number : string }
  } catch {
    // Not ours: answered below like every other text that is not a cursor.
  }
  throw new AppError('invalid_cursor', 'The cursor is invalid.')
}

/** Cuts a list that was read one row too long into a page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Item,
  keyOf: (row: Row) => readonly (string | number)[],
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items: shown.map(present), nextCursor: more ? encodeCursor(keyOf(last)) : null }
}
