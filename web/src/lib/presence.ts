/** A person, and the keys of the drafts that are open on a page of theirs. */
export type Editing = { userId: string; name: string; keys: readonly string[] }

/** Bounds of what is sent, and of what is believed: it comes from other admins' pages. */
const MAX_KEYS = 5
const MAX_TEXT = 120
const MAX_PEOPLE = 10

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined

/** What one page edits in several places, as one entry; none when it edits nothing. */
export function joinEditing(own: readonly Editing[]): Editing[] {
  const [first] = own
  if (!first) return []
  const keys = new Set(own.flatMap((each) => each.keys))
  return [{ ...first, keys: [...keys].slice(0, MAX_KEYS) }]
}

/** Who edits what, from the state of a presence topic. What has another shape is left out. */
export function editorsIn(state: Record<string, readonly unknown[]>): Editing[] {
  return Object.values(state).flatMap((metas) => metas.flatMap(readEditing))
}

function readEditing(meta: unknown): Editing[] {
  if (typeof meta !== 'object' || meta === null) return []
  const fields = meta as Record<string, unknown>
  const [userId, name] = [textOf(fields.userId), textOf(fields.name)]
  if (!userId || !name || !Array.isArray(fields.keys)) return []
  const keys = fields.keys.slice(0, MAX_KEYS).flatMap((key) => textOf(key) ?? [])
  return [{ userId, name, keys }]
}

/** The names of the others who edit `key`, each once. */
export function othersEditing(all: readonly Editing[], key: string, ownId: string | undefined): string[] {
  const others = all.filter(({ userId, keys }) => userId !== ownId && keys.includes(key))
  return [...new Map(others.map(({ userId, name }) => [userId, name])).values()].slice(0, MAX_PEOPLE)
}
