/** An admin, and the keys of the drafts open in one of their tabs. */
export interface Editing {
  userId: string
  name: string
  keys: readonly string[]
}

/** Limits for what is sent and what is accepted: presence comes from other admins' browsers, unvalidated. */
const MAX_KEYS = 5
const MAX_TEXT = 120
const MAX_USERS = 10

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined

/** Merges the drafts that several parts of one page edit into one entry; empty if nothing is edited. */
export function mergeEditing(own: readonly Editing[]): Editing[] {
  const [first] = own
  if (!first) return []
  const keys = new Set(own.flatMap((each) => each.keys))
  return [{ ...first, keys: [...keys].slice(0, MAX_KEYS) }]
}

/** Reads who edits what from the state of a presence topic. Malformed entries are ignored. */
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

/** The names of other users who edit `key`, each once. */
export function othersEditing(all: readonly Editing[], key: string, ownId: string | undefined): string[] {
  const others = all.filter(({ userId, keys }) => userId !== ownId && keys.includes(key))
  return [...new Map(others.map(({ userId, name }) => [userId, name])).values()].slice(0, MAX_USERS)
}
