import { dateLocale } from '../../../lib/date-locale.ts'
/** One thing that changed, or that is told of a deed. `before` is undefined where only the present is known. */
export interface Difference {
  field: string
  before?: string
  after?: string
}

const MAX_TEXT = 200
/** Says nothing to a reader, or is told elsewhere on the line. */
const NOISE = new Set(['id', 'userId', 'createdBy', 'updatedAt', 'createdAt'])

type Facts = Record<string, unknown>

const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `expiresAt` → `Expires at` */
const spelledOut = (field: string): string => {
  const words = field.replaceAll('_', ' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** What stands for something in a list of them. */
const nameIn = (value: unknown): string => {
  if (!isFacts(value)) return textOf(value, '')
  const name = value.title ?? value.name ?? value.handle ?? value.id
  return typeof name === 'string' ? name : JSON.stringify(value)
}

function textOf(value: unknown, field: string): string {
  if (value === null || value === undefined || value === '') return 'none'
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
          : value.map(nameIn).join(', ')
        : typeof value === 'number'
          ? String(value)
          : JSON.stringify(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
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
    .filter((field) => JSON.stringify(old.get(field)) !== JSON.stringify(now.get(field)))
    .map((field) => ({
      field: spelledOut(field),
      ...((isBoth || old.has(field)) && { before: textOf(old.get(field), field) }),
      ...((isBoth || now.has(field)) && { after: textOf(now.get(field), field) }),
    }))
}

/** Facts that are told beside what changed. */
export const factsOf = (details: unknown): Difference[] =>
  [...asFacts(details)].map(([field, value]) => ({
    field: field === 'value' ? 'Note' : spelledOut(field),
    after: textOf(value, field),
  }))
