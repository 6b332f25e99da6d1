import { createHash } from 'node:crypto'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { isObject, type JsonObject } from './codec.ts'
import type { TopicName } from './topic-name.ts'

/** The one table whose changes clients may watch this way, and its columns with their Postgres types. */
const TABLE = 'live_chat_messages'
const COLUMNS = [
  { name: 'id', type: 'uuid' },
  { name: 'channel_id', type: 'text' },
  { name: 'seq', type: 'int8' },
  { name: 'user_id', type: 'uuid' },
  { name: 'message', type: 'text' },
  { name: 'created_at', type: 'timestamptz' },
  { name: 'is_deleted', type: 'bool' },
] as const
const COLUMN_NAMES: readonly string[] = COLUMNS.map(({ name }) => name)

type Record_ = Record<string, string | number | boolean>
type ChangeType = 'INSERT' | 'DELETE'

export interface RowChange {
  type: ChangeType
  /** RFC 3339 */
  commitTimestamp: string
  record: Record_
}

interface Binding {
  id: number
  event: string
  filter: { column: string; value: string } | null
}

/** What one join asked for. Joins that asked for the same share `key`, and so their frames. */
export interface ChangeBindings {
  key: string
  list: readonly Binding[]
  /** The list the join's reply must mirror (docs/protocols/realtime.md §7). */
  mirrored: readonly JsonObject[]
}

const MAX_BINDINGS = 20
const FILTER = /^([a-z_]+)=eq\.(.*)$/s
const EVENTS: readonly unknown[] = ['*', 'INSERT', 'UPDATE', 'DELETE']

/** The asked-for bindings; null when none were asked for; or a sentence that says why they are refused. */
export function parseBindings(asked: unknown, topic: TopicName): ChangeBindings | null | string {
  if (!Array.isArray(asked) || asked.length === 0) return null
  if (topic.kind !== 'chat') return 'Unauthorized: no table can be watched on this topic'
  if (asked.length > MAX_BINDINGS) return `Unauthorized: more than ${MAX_BINDINGS} bindings`
  const list: Binding[] = []
  const mirrored: JsonObject[] = []
  for (const [index, wish] of asked.entries()) {
    const filter = isObject(wish) ? acceptedFilter(wish) : undefined
    if (!isObject(wish) || filter === undefined) return 'Unauthorized: this table or filter cannot be watched'
    const { event, schema, table } = wish
    const id = idOf(index, [event, schema, table, wish.filter])
    list.push({ id, event: String(event), filter })
    mirrored.push({ id, event, schema, table, ...(wish.filter === undefined ? {} : { filter: wish.filter }) })
  }
  return { key: list.map(({ id }) => id).join(','), list, mirrored }
}

/** The binding's filter, null when it has none, undefined when the binding is not to be had. */
function acceptedFilter(wish: JsonObject): Binding['filter'] | undefined {
  const { event, schema, table, filter } = wish
  if (!EVENTS.includes(event)) return undefined
  if (schema !== 'public' && schema !== '*') return undefined
  if (table !== TABLE && table !== '*') return undefined
  if (filter === undefined || filter === null || filter === '') return null
  const [, column = '', value = ''] = (typeof filter === 'string' && FILTER.exec(filter)) || []
  return COLUMN_NAMES.includes(column) ? { column, value } : undefined
}

/** Distinct within a join by its place, equal for equal joins. */
const idOf = (index: number, parts: unknown): number =>
  createHash('sha256')
    .update(JSON.stringify([index, parts]))
    .digest()
    .readUIntBE(0, 6)

/** The `postgres_changes` payload for members with these bindings, or null when none of them matches. */
export function changeJson(bindings: ChangeBindings, change: RowChange): string | null {
  const ids = bindings.list.filter((binding) => matches(binding, change)).map(({ id }) => id)
  if (ids.length === 0) return null
  const { type, commitTimestamp, record } = change
  return JSON.stringify({
    ids,
    data: {
      type,
      schema: 'public',
      table: TABLE,
      commit_timestamp: commitTimestamp,
      columns: COLUMNS,
      record: type === 'DELETE' ? {} : record,
      old_record: type === 'DELETE' ? record : {},
      errors: null,
    },
  })
}

function matches({ event, filter }: Binding, { type, record }: RowChange): boolean {
  if (event !== '*' && event !== type) return false
  return filter === null || String(record[filter.column]) === filter.value
}

/** A chat message as the row of its table. */
export const insertedRow = (message: ChatMessage): RowChange => ({
  type: 'INSERT',
  commitTimestamp: message.createdAt,
  record: {
    id: message.id,
    channel_id: message.channelId,
    seq: message.seq,
    user_id: message.userId,
    message: message.message,
    created_at: message.createdAt,
    is_deleted: false,
  },
})
