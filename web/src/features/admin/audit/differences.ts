import { dateLocale } from '../../../lib/date-locale.ts'
import { type Facts, firstName, isBareId, isFacts } from './audit-facts.ts'

/** One thing that changed, or that is told of a deed. `before` is undefined where only the present is known. */
export interface Difference {
  field: string
  before?: string
  after?: string
}

const MAX_TEXT = 200
/** Means nothing to a reader, or is in the entry's sentence. */
const NOISE = new Set([
  'id',
  'userId',
  'createdBy',
  'updatedAt',
  'createdAt',
  'channelName',
  'videoTitle',
  'replacementTitle',
])

/** Whether a value is an id, or consists of ids alone. */
const isOnlyIds = (value: unknown): boolean =>
  isBareId(value) || (Array.isArray(value) && value.length > 0 && value.every(isOnlyIds))

/** `expiresAt` → `Expires at` */
const spelledOut = (field: string): string => {
  const words = field.replaceAll('_', ' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** The name of an item of a list, or its facts when it has none. */
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
  if (value === null || value === undefined || value === '') return 'none'
  if (isBareId(value)) return 'set'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && /At$/.test(field) && !Number.isNaN(Date.parse(value))) {
    return new Date(value).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' })
  }
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.length === 0
          ? 'none'
          : namesIn(value)
        : typeof value === 'number'
          ? String(value)
          : isFacts(value)
            ? factsText(value)
            : String(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** The names in a list; ids are only counted. */
const namesIn = (list: readonly unknown[]): string => {
  const named = list.filter((item) => !isOnlyIds(item))
  const ids = list.length - named.length
  return [...named.map(nameIn), ...(ids > 0 ? [`${ids} more`] : [])].join(', ')
}

/** A list, or a single value, is told under a name of its own. A map, so that nothing inherited counts as a fact. */
const asFacts = (value: unknown): Map<string, unknown> => {
  if (value === null || value === undefined) return new Map()
  if (isFacts(value)) return new Map(Object.entries(value))
  return new Map([[Array.isArray(value) ? 'entries' : 'value', value]])
}

/**
 * What a deed changed, as a reader would say it: only what is not the same as before. Where there was nothing before
 * (or is nothing after) every fact is told once.
 */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [old, now] = [asFacts(before), asFacts(after)]
  const isBoth = old.size > 0 && now.size > 0
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => !NOISE.has(field))
    .filter((field) => ![old, now].every((facts) => !facts.has(field) || isOnlyIds(facts.get(field))))
    .filter((field) => JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({
      field: spelledOut(field),
      ...((isBoth || old.has(field)) && { before: textOf(old.get(field), field) }),
      ...((isBoth || now.has(field)) && { after: textOf(now.get(field), field) }),
    }))
}

/** Facts that are told beside what changed. */
export const factsOf = (details: unknown): Difference[] =>
  [...asFacts(details)]
    .filter(([field, value]) => !NOISE.has(field) && !isOnlyIds(value))
    .map(([field, value]) => ({
      field: field === 'value' ? 'Note' : spelledOut(field),
      after: textOf(value, field),
    }))
