import { createHash } from 'node:crypto'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import type { TopicName } from '../topic/topic-name.ts'
import { isObject, type JsonObject } from './codec.ts'

/** The only table whose changes clients can subscribe to, and its columns with their Postgres types. */
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

type Row = Record<string, string | number | boolean>
type ChangeType = 'INSERT' | 'DELETE'

export interface RowChange {
  type: ChangeType
  /** RFC 3339 */
  commitTimestamp: string
  record: Row
}

interface Binding {
  id: number
  event: string
  filter: { column: string; value: string } | null
}

/** The bindings of one join. Joins with equal bindings have the same `key` and receive the same frames. */
export interface ChangeBindings {
  key: string
  list: readonly Binding[]
  /** The bindings with their ids, as the reply to the join lists them. */
  replyList: readonly JsonObject[]
}

const MAX_BINDINGS = 20
const FILTER = /^([a-z_]+)=eq\.(.*)$/s
const EVENTS: readonly unknown[] = ['*', 'INSERT', 'UPDATE', 'DELETE']

/** The requested bindings; null when none are requested; or the reason of a refusal as a string. */
export function parseBindings(requested: unknown, topic: TopicName): ChangeBindings | null | string {
  if (!Array.isArray(requested) || requested.length === 0) return null
  if (topic.kind !== 'chat') return 'Unauthorized: postgres_changes is not available on this topic'
  if (requested.length > MAX_BINDINGS) return `Unauthorized: more than ${MAX_BINDINGS} bindings`
  const list: Binding[] = []
  const replyList: JsonObject[] = []
  for (const [index, binding] of requested.entries()) {
    const filter = isObject(binding) ? parseFilter(binding) : undefined
    if (!isObject(binding) || filter === undefined)
      return 'Unauthorized: this table or filter is not available'
    const { event, schema, table } = binding
    const id = idOf(index, [event, schema, table, binding.filter])
    list.push({ id, event: String(event), filter })
    replyList.push({
      id,
      event,
      schema,
      table,
      ...(binding.filter === undefined ? {} : { filter: binding.filter }),
    })
  }
  return { key: list.map(({ id }) => id).join(','), list, replyList }
}

/** The filter of a valid binding; null when it has none. Undefined for an invalid binding. */
function parseFilter(binding: JsonObject): Binding['filter'] | undefined {
  const { event, schema, table, filter } = binding
  if (!EVENTS.includes(event)) return undefined
  if (schema !== 'public' && schema !== '*') return undefined
  if (table !== TABLE && table !== '*') return undefined
  if (filter === undefined || filter === null || filter === '') return null
  const [, column = '', value = ''] = (typeof filter === 'string' && FILTER.exec(filter)) || []
  return COLUMN_NAMES.includes(column) ? { column, value } : undefined
}

/** The id of a binding: unique within a join, and equal for equal joins. */
const idOf = (index: number, parts: unknown): number =>
  createHash('sha256')
    .update(JSON.stringify([index, parts]))
    .digest()
    .readUIntBE(0, 6)

/** The `postgres_changes` payload for these bindings; null when none of them matches. */
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

/** The insertion of a chat message as a row change. */
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
