import diff from 'microdiff'

/** A difference between two schedule documents. Values are scalars or parts of a document. */
export interface DocumentChange {
  kind: 'added' | 'removed' | 'changed'
  /** Such as `blocks/friday-gold/from`: blocks, overrides and specials by their ids, slots by their positions. */
  path: string
  before?: unknown
  after?: unknown
}

/** What was added, removed and changed, in the order of the documents. The order of blocks and specials does not matter. */
export function documentChanges(before: object, after: object): DocumentChange[] {
  return diff(comparable(before), comparable(after), { cyclesFix: false }).map((change) => {
    const path = change.path.join('/')
    if (change.type === 'CREATE') return { kind: 'added', path, after: change.value }
    if (change.type === 'REMOVE') return { kind: 'removed', path, before: change.oldValue }
    return { kind: 'changed', path, before: change.oldValue, after: change.value }
  })
}

/** A list that is missing and one that is empty mean the same. */
const EMPTY = { sources: {}, clocks: {}, blocks: [], overrides: [], specials: [], rules: {} }

const comparable = (document: object) => byId({ ...EMPTY, ...document }) as Record<string, unknown>

/** Lists of parts with ids become objects by id, and lists of words become texts. */
function byId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return withoutPrototype(Object.entries(value))
  if (value.every((item) => typeof item !== 'object')) return value.length === 0 ? {} : value.join(', ')
  const ids = value.map((item: { id?: unknown } | null, index) => String(item?.id ?? index))
  return withoutPrototype(ids.map((id, index) => [id, value[index]]))
}

/** Names such as `constructor` must not be found on a prototype. */
function withoutPrototype(entries: readonly [string, unknown][]): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null)
  for (const [name, value] of entries) record[name] = byId(value)
  return record
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const

/** One line of a difference, such as `~ blocks/night/from: 23:00 → 22:00`. */
export function changeLine({ kind, path, before, after }: DocumentChange): string {
  const texts = [before, after].filter((value) => value !== undefined).map(briefly)
  return `${MARKS[kind]} ${path}: ${texts.join(' → ')}`
}

/** A value on one line; a block or special by its name. */
function briefly(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return 'name' in value ? JSON.stringify(value.name) : JSON.stringify(value)
}
