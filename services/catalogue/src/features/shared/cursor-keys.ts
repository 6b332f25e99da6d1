import { decodeCursor } from '@looptide/service-kit/cursor'
import { AppError } from '@looptide/service-kit/errors'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** What a `Date` can hold (ECMA-262 §21.4.1.1), less than Postgres' timestamptz can. */
const MAX_TIME_MS = 8.64e15

const isPosition = (value: number): boolean => Number.isSafeInteger(value) && Math.abs(value) <= 2_147_483_647

const refuse = (): AppError => new AppError('invalid_cursor', 'The cursor is invalid.')

/** A cursor of a list that is ordered by time and id; `invalid_cursor` for one that somebody made up. */
export function timeAndId(cursor: string): { at: Date; id: string } {
  const [ms, id] = decodeCursor(cursor, ['number', 'string'])
  if (!Number.isSafeInteger(ms) || Math.abs(ms) > MAX_TIME_MS || !UUID.test(id)) throw refuse()
  return { at: new Date(ms), id }
}

/** As {@link timeAndId}, for a list ordered by a text and id. */
export function textAndId(cursor: string): { text: string; id: string } {
  const [text, id] = decodeCursor(cursor, ['string', 'string'])
  if (text.includes('\0') || !UUID.test(id)) throw refuse()
  return { text, id }
}

/** As {@link timeAndId}, for a list ordered by a position and id. */
export function positionAndId(cursor: string): { position: number; id: string } {
  const [position, id] = decodeCursor(cursor, ['number', 'string'])
  if (!isPosition(position) || !UUID.test(id)) throw refuse()
  return { position, id }
}

/** As {@link positionAndId}, for a list of sections. */
export function sectionPositionAndId(cursor: string): { section: string; position: number; id: string } {
  const [section, position, id] = decodeCursor(cursor, ['string', 'number', 'string'])
  if (section.includes('\0') || !isPosition(position) || !UUID.test(id)) throw refuse()
  return { section, position, id }
}
