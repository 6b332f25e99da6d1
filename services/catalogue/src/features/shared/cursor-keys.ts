import { decodeCursor } from '@looptide/service-kit/http/cursor'
import { AppError } from '@looptide/service-kit/http/errors'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Maximum time of a `Date`, in ms (ECMA-262 §21.4.1.1). The range of timestamptz is larger. */
const MAX_TIME_MS = 8.64e15

const isInt4 = (value: number): boolean => Number.isSafeInteger(value) && Math.abs(value) <= 2_147_483_647

const invalidCursor = (): AppError => new AppError('invalid_cursor', 'The cursor is invalid.')

/** Decodes the cursor of a list sorted by time and id. Throws `invalid_cursor` for a forged one. */
export function timeAndId(cursor: string): { at: Date; id: string } {
  const [ms, id] = decodeCursor(cursor, ['number', 'string'])
  if (!Number.isSafeInteger(ms) || Math.abs(ms) > MAX_TIME_MS || !UUID.test(id)) throw invalidCursor()
  return { at: new Date(ms), id }
}

/** Like {@link timeAndId}, for a list sorted by a text and id. */
export function textAndId(cursor: string): { text: string; id: string } {
  const [text, id] = decodeCursor(cursor, ['string', 'string'])
  if (text.includes('\0') || !UUID.test(id)) throw invalidCursor()
  return { text, id }
}

/** Like {@link timeAndId}, for a list sorted by position and id. */
export function positionAndId(cursor: string): { position: number; id: string } {
  const [position, id] = decodeCursor(cursor, ['number', 'string'])
  if (!isInt4(position) || !UUID.test(id)) throw invalidCursor()
  return { position, id }
}

/** Like {@link timeAndId}, for a list sorted by section, position and id. */
export function sectionPositionAndId(cursor: string): { section: string; position: number; id: string } {
  const [section, position, id] = decodeCursor(cursor, ['string', 'number', 'string'])
  if (section.includes('\0') || !isInt4(position) || !UUID.test(id)) throw invalidCursor()
  return { section, position, id }
}
