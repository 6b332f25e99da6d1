import type { AuditEntry } from '@looptide/contracts/http/admin'
import { formatDuration } from '@looptide/playhead/duration'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { ordinal } from '../../lib/why-text.ts'
import { type Facts, firstName, isBareId, isFacts } from './audit-facts.ts'
import { isKnownAction, labelOf } from './audit-labels.ts'

/** A changed field, or a detail of an action. `before` is undefined when only the new value is known. */
export interface Difference {
  field: string
  before?: string
  after?: string
}

const MAX_TEXT = 200
/** Fields that mean nothing to a reader or already occur in the entry's sentence. */
const HIDDEN_FIELDS = new Set([
  'id',
  'userId',
  'createdBy',
  'updatedAt',
  'createdAt',
  'channelId',
  'channelName',
  'videoTitle',
  'replacementTitle',
  // They follow from the schedule or `requestEvery`.
  'requestSlots',
  'takesRequests',
  // For the undo of a change of a playlist.
  'positions',
  'playlistVersion',
])

/** Names of fields that do not explain themselves. */
const FIELD_LABELS = new Map([
  ['lacks', 'Missing'],
  ['requestEvery', 'Requests'],
  ['params', 'Parameters'],
])

/** Whether a value is an id, a list of ids, or an object without other fields. */
const isOnlyIds = (value: unknown): boolean =>
  isBareId(value) ||
  (Array.isArray(value) && value.length > 0 && value.every(isOnlyIds)) ||
  (isFacts(value) && Object.values(value).every(isOnlyIds))

/** `expiresAt` → `Expires at` */
const spelledOut = (field: string): string => {
  const label = FIELD_LABELS.get(field)
  if (label !== undefined) return label
  const words = field
    .replace(UNIT, '')
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** The name of a list item, or its facts when it has none. */
const nameIn = (value: unknown): string => {
  if (!isFacts(value)) return textOf(value, '')
  return firstName(value.title, value.name, value.handle, value.videoUrl) ?? factsText(value)
}

/** `{ method: 'PUT', id: '…' }` → `method: PUT`: the facts of an object without its ids. */
const factsText = (value: Facts): string =>
  Object.entries(value)
    .filter(([, inner]) => !isOnlyIds(inner))
    .map(([field, inner]) => `${spelledOut(field).toLowerCase()}: ${textOf(inner, field)}`)
    .join(', ') || 'none'

function textOf(value: unknown, field: string): string {
  if (field === 'requestEvery') return typeof value === 'number' ? `every ${ordinal(value)} programme` : 'off'
  if (value === null || value === undefined || value === '') return 'none'
  if (isBareId(value)) return 'set'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text =
    typeof value === 'string'
      ? readable(value)
      : Array.isArray(value)
        ? value.length === 0
          ? 'none'
          : namesIn(value)
        : typeof value === 'number'
          ? numberText(value, field)
          : isFacts(value)
            ? factsText(value)
            : String(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** A point in time as services record it (RFC 3339). */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
/** A local time of a schedule. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/
/** A value of a fixed set, such as `chat_banned`. */
const CONSTANT = /^[a-z]+(_[a-z]+)+$/
/** The name of an action, such as `stream.stop`. */
const ACTION = /^[a-z_]+\.[a-z_.]+$/

/** A stored text as people write it: times in the reader's format, constants and actions in words. */
function readable(text: string): string {
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) {
    return new Date(text).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' })
  }
  if (LOCAL_TIME.test(text)) return text.replace('T', ', ')
  if (isKnownAction(text)) return labelOf(text)
  return CONSTANT.test(text) || ACTION.test(text) ? text.replaceAll(/[_.]/g, ' ') : text
}

/** Units at the end of a field's name, in ms. */
const UNIT_MS: Record<string, number> = { Ms: 1, S: 1_000 }
const UNIT = /(?<=[a-z])(Ms|S)$/

/** A number; a duration as minutes and seconds. */
function numberText(value: number, field: string): string {
  const unit = UNIT.exec(field)?.[1]
  const unitMs = unit === undefined ? undefined : UNIT_MS[unit]
  return unitMs === undefined ? String(value) : formatDuration(value * unitMs)
}

/** The names of the items of a list. Ids are only counted. */
const namesIn = (list: readonly unknown[]): string => {
  const named = list.filter((item) => !isOnlyIds(item))
  const ids = list.length - named.length
  return [...named.map(nameIn), ...(ids > 0 ? [`${ids} more`] : [])].join(', ')
}

/**
 * A value as named facts; lists and single values get a generic name. A map, so that inherited properties do not count.
 */
const asFacts = (value: unknown): Map<string, unknown> => {
  if (value === null || value === undefined) return new Map()
  if (isFacts(value)) return new Map(Object.entries(value))
  return new Map([[Array.isArray(value) ? 'entries' : 'value', value]])
}

/**
 * The fields that an action changed, as readable texts. If the object was created (no `before`) or removed (no
 * `after`), every field is listed once.
 */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [old, now] = [asFacts(before), asFacts(after)]
  const hasBoth = old.size > 0 && now.size > 0
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => !HIDDEN_FIELDS.has(field))
    .filter((field) => ![old, now].every((facts) => !facts.has(field) || isOnlyIds(facts.get(field))))
    .filter((field) => JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({
      field: spelledOut(field),
      ...((hasBoth || old.has(field)) && { before: textOf(old.get(field), field) }),
      ...((hasBoth || now.has(field)) && { after: textOf(now.get(field), field) }),
    }))
}

/** The details of an action as readable texts. */
export const factsOf = (details: unknown): Difference[] =>
  [...asFacts(details)]
    .filter(([field, value]) => !HIDDEN_FIELDS.has(field) && !isOnlyIds(value))
    .map(([field, value]) => ({
      field: field === 'value' ? 'Note' : spelledOut(field),
      after: textOf(value, field),
    }))

/** Actions whose sentence says what has changed. */
const SAID = new Set([
  ...['request.withdraw', 'request.refuse', 'request.pin', 'request.unpin'],
  ...['request_settings.update', 'request_exclusion.add', 'request_exclusion.remove'],
])

/** What an entry shows besides its sentence. */
export const detailsOf = ({
  action,
  before,
  after,
  details,
}: Pick<AuditEntry, 'action' | 'before' | 'after' | 'details'>): Difference[] => [
  ...(SAID.has(action) ? [] : differencesOf(before, after)),
  ...factsOf(details),
]
