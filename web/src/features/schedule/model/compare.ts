import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { Block, ScheduleDocument } from '@looptide/contracts/schedule'

/** Whether two JSON values are equal, whatever the order of their keys; absent and undefined are the same. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) =>
    isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  )
}

/** A part of a document that is compared and merged as a whole. */
interface Part {
  key: string
  label: string
  value: unknown
}

/** Lists and records whose entries are parts of their own, and the noun of an entry. */
const COLLECTIONS = {
  blocks: 'block',
  specials: 'special',
  overrides: 'holiday',
  sources: 'source',
  clocks: 'clock',
  exclusions: 'excluded song',
} as const
type Collection = keyof typeof COLLECTIONS

const SETTINGS = {
  timeZone: 'Time zone',
  defaultSource: 'Default source',
  freezeMinutes: 'Protected minutes',
  rules: 'Rules of the channel',
} as const

type Document = ScheduleDraftDocument | null

/** The entries of a collection by id, name or video. */
function entriesOf(document: Document, collection: Collection): Map<string, Part> {
  const noun = COLLECTIONS[collection]
  const value = document?.[collection] ?? []
  const entries = Array.isArray(value)
    ? value.map((entry) => ['id' in entry ? entry.id : entry.videoId, entry] as const)
    : Object.entries(value)
  return new Map(
    entries.map(([key, entry]) => {
      const name = 'name' in entry && typeof entry.name === 'string' ? entry.name : key
      return [key, { key, label: collection === 'exclusions' ? noun : `${noun} ${name}`, value: entry }]
    }),
  )
}

/** A difference between two documents, as a text: "Added: block Night". */
export interface Change {
  kind: 'Added' | 'Removed' | 'Changed'
  label: string
}

/** What differs between two documents. Settings are not listed for a first document. */
export function changesBetween(before: Document, after: Document): Change[] {
  const entries = (Object.keys(COLLECTIONS) as Collection[]).flatMap((collection): Change[] => {
    const [old, now] = [entriesOf(before, collection), entriesOf(after, collection)]
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): Change[] => {
      const [from, to] = [old.get(key), now.get(key)]
      if (to === undefined) return [{ kind: 'Removed', label: from?.label ?? key }]
      if (from === undefined) return [{ kind: 'Added', label: to.label }]
      return isEqual(from.value, to.value) ? [] : [{ kind: 'Changed', label: to.label }]
    })
  })
  if (before === null) return entries
  const settings = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).flatMap((key): Change[] =>
    isEqual(before?.[key] ?? {}, after?.[key] ?? {}) ? [] : [{ kind: 'Changed', label: SETTINGS[key] }],
  )
  return [...entries, ...settings]
}

/**
 * `mine` with the changes that lead from `base` to `theirs`. Entries and settings are merged as wholes; what both have
 * changed is as in `mine`.
 */
export function mergeDocuments(base: Document, mine: ScheduleDocument, theirs: Document): ScheduleDocument {
  const merged: ScheduleDocument = { ...mine }
  const take = (key: keyof typeof SETTINGS) =>
    isEqual(mine[key], base?.[key]) && theirs?.[key] !== undefined ? { [key]: theirs[key] } : {}
  for (const key of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]) Object.assign(merged, take(key))
  for (const collection of Object.keys(COLLECTIONS) as Collection[]) {
    const parts = mergeEntries(
      entriesOf(base, collection),
      entriesOf(mine, collection),
      entriesOf(theirs, collection),
    )
    const isRecord = collection === 'sources' || collection === 'clocks'
    const value = isRecord
      ? Object.fromEntries(parts.map(({ key, value: entry }) => [key, entry]))
      : parts.map(({ value: entry }) => entry)
    Object.assign(merged, { [collection]: value })
  }
  return merged
}

type Entries = ReadonlyMap<string, Part>

function mergeEntries(base: Entries, mine: Entries, theirs: Entries): Part[] {
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((key) => {
    const isMine = !isEqual(mine.get(key)?.value, base.get(key)?.value)
    const part = isMine ? mine.get(key) : theirs.get(key)
    return part === undefined ? [] : [part]
  })
}

/** Whether a block or special that both documents have is shown differently in the guide. */
export function changesGuideTexts(before: Document, after: Document): boolean {
  const shown = (document: Document) => [
    ...(document?.blocks ?? []),
    ...(document?.specials ?? []),
    ...(document?.overrides ?? []).flatMap(({ blocks }) => blocks),
  ]
  const known = new Map(shown(before).map((block) => [block.id, textsOf(block)]))
  return shown(after).some((block) => known.has(block.id) && known.get(block.id) !== textsOf(block))
}

const textsOf = ({ name, description, colour }: Pick<Block, 'name' | 'description' | 'colour'>): string =>
  JSON.stringify([name, description, colour])
