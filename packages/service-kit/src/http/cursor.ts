import { AppError } from './errors.ts'

/** Encodes the sort key of a page's last row as an opaque cursor. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** The largest number in a cursor: a `Date` cannot hold a later time, in ms. */
const MAX_NUMBER = 8.64e15

/** Decodes a cursor of {@link encodeCursor}. Throws `invalid_cursor` unless its parts have these `types`. */
export function decodeCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string,
  types: T,
): { [K in keyof T]: T[K] extends 'number' ? number : string } {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const fits =
      Array.isArray(key) && key.length === types.length && types.every((type, i) => typeof key[i] === type)
    const isLarge = (part: unknown) => typeof part === 'number' && Math.abs(part) > MAX_NUMBER
    if (fits && !key.some(isLarge)) return key as { [K in keyof T]: T[K] extends 'number' ? number : string }
  } catch {
    // Not base64url JSON: handled below like any other invalid cursor.
  }
  throw new AppError('invalid_cursor', 'The cursor is invalid.')
}

/** Builds a page from up to `limit + 1` rows: the extra row shows that there is a next page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Item,
  keyOf: (row: Row) => readonly (string | number)[],
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { items: shown.map(present), nextCursor: hasMore ? encodeCursor(keyOf(last)) : null }
}
