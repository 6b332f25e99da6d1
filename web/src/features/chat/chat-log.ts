import { CHAT_PAGE, type ChatMessage, type ChatPage } from '@looptide/contracts/http/chat'

/** The loaded part of a channel's chat: contiguous messages in order of `seq`, without deleted ones. */
export interface ChatLog {
  messages: readonly ChatMessage[]
  removedIds: ReadonlySet<string>
  /** No message is missing from the first loaded one up to this `seq`; null before the first page. */
  syncedSeq: number | null
  /** The highest known `seq`. */
  newestSeq: number
  /** Whether there may be older messages. */
  hasOlder: boolean
  /** Whether the newest messages are shown. False while reading back; then the visible messages must stay. */
  isFollowing: boolean
  /** Whether the newest messages were discarded or ignored while reading far back. */
  isCut: boolean
}

export const EMPTY_LOG: ChatLog = {
  messages: [],
  removedIds: new Set(),
  syncedSeq: null,
  newestSeq: 0,
  hasOlder: false,
  isFollowing: true,
  isCut: false,
}

/** Maximum number of messages kept while following; older ones are loaded again by scrolling up. */
export const KEPT_MESSAGES = 200
/** Maximum number of messages kept while reading back; beyond it the newest are discarded. */
export const READ_BACK_MESSAGES = 600

/** Adds messages and removals, in any order and idempotently, and trims the log to its maximum. */
function insert(log: ChatLog, incoming: readonly ChatMessage[], removed: readonly string[]): ChatLog {
  const removedIds = removed.length > 0 ? new Set([...log.removedIds, ...removed]) : log.removedIds
  const taken = log.isCut ? incoming.filter(({ seq }) => seq <= (log.syncedSeq ?? 0)) : incoming
  const byId = new Map(log.messages.map((message) => [message.id, message]))
  for (const message of taken) byId.set(message.id, message)
  const all = [...byId.values()].filter(({ id }) => !removedIds.has(id)).toSorted((a, b) => a.seq - b.seq)
  const newestSeq = Math.max(log.newestSeq, incoming.at(-1)?.seq ?? 0, all.at(-1)?.seq ?? 0)
  return bounded(advanced({ ...log, messages: all, removedIds, newestSeq }))
}

function bounded(log: ChatLog): ChatLog {
  const { messages } = log
  if (log.isFollowing) {
    if (messages.length <= KEPT_MESSAGES) return log
    return { ...log, messages: messages.slice(-KEPT_MESSAGES), hasOlder: true }
  }
  if (messages.length <= READ_BACK_MESSAGES) return log
  const first = messages.slice(0, READ_BACK_MESSAGES)
  return cutOff({ ...log, messages: first, syncedSeq: Math.min(log.syncedSeq ?? 0, first.at(-1)?.seq ?? 0) })
}

/** Advances `syncedSeq` over messages without a gap. */
function advanced(log: ChatLog): ChatLog {
  if (log.syncedSeq === null) return log
  let syncedSeq = log.syncedSeq
  for (const { seq } of log.messages) if (seq === syncedSeq + 1) syncedSeq = seq
  return syncedSeq === log.syncedSeq ? log : { ...log, syncedSeq }
}

/** Replaces the log with the newest page: at first, or after too long an absence. */
export function startedWith(log: ChatLog, page: ChatPage): ChatLog {
  const later = log.messages.filter(({ seq }) => seq > page.lastSeq)
  const blank = { ...log, messages: [], isCut: false, syncedSeq: page.lastSeq }
  const hasOlder = page.items.length === CHAT_PAGE
  return withNewestSeq(insert({ ...blank, hasOlder }, [...page.items, ...later], page.removedIds), page)
}

/** Adds the page after `syncedSeq`. */
export function withNewer(log: ChatLog, page: ChatPage): ChatLog {
  const isComplete = page.items.length < CHAT_PAGE
  const reached = isComplete ? page.lastSeq : (page.items.at(-1)?.seq ?? page.lastSeq)
  const known = insert(log, page.items, page.removedIds)
  if (known.isCut) return withNewestSeq(known, page)
  return withNewestSeq(advanced({ ...known, syncedSeq: Math.max(known.syncedSeq ?? 0, reached) }), page)
}

/** Adds the page requested `before` a `seq`, if that is still the first message. */
export function withOlder(log: ChatLog, page: ChatPage, before: number): ChatLog {
  if (log.messages[0] !== undefined && log.messages[0].seq < before) return log
  const hasOlder = page.items.length === CHAT_PAGE
  return withNewestSeq(insert({ ...log, hasOlder }, page.items, page.removedIds), page)
}

const withNewestSeq = (log: ChatLog, page: ChatPage): ChatLog => ({
  ...log,
  newestSeq: Math.max(log.newestSeq, page.lastSeq),
})

/** Adds one message: from the socket, or the response to the user's own. */
export const withMessage = (log: ChatLog, message: ChatMessage): ChatLog => insert(log, [message], [])

/** Removes a message, even if it arrives later. */
export const withoutMessage = (log: ChatLog, messageId: string): ChatLog => insert(log, [], [messageId])

/** Shows a removed message again, at its place. One before the first loaded message is left out until its page is loaded. */
export function withRestored(log: ChatLog, message: ChatMessage): ChatLog {
  const removedIds = new Set(log.removedIds)
  removedIds.delete(message.id)
  const isLoaded = !log.hasOlder || message.seq > (log.messages[0]?.seq ?? Infinity)
  return insert({ ...log, removedIds }, isLoaded ? [message] : [], [])
}

/** Follows the newest messages again; discarded ones must be fetched, see {@link isBehind}. */
export const followed = (log: ChatLog): ChatLog =>
  log.isFollowing ? log : bounded({ ...log, isFollowing: true, isCut: false })

/** Stops following the newest messages. */
export const readingBack = (log: ChatLog): ChatLog => (log.isFollowing ? { ...log, isFollowing: false } : log)

/** Ignores newer messages until {@link followed}. */
export const cutOff = (log: ChatLog): ChatLog => ({
  ...log,
  messages: log.messages.filter(({ seq }) => seq <= (log.syncedSeq ?? 0)),
  isCut: true,
})

/** Whether newer messages exist and must be fetched; false while they are ignored. */
export const isBehind = (log: ChatLog): boolean => !log.isCut && log.newestSeq > (log.syncedSeq ?? 0)

/** The number of messages after a `seq`, without the user's own. Messages that are not loaded are estimated by `seq`. */
export function countAfter(log: ChatLog, seq: number, ownId: string | undefined): number {
  const held = log.messages.filter((message) => message.seq > seq && message.userId !== ownId).length
  const reach = Math.max(seq, log.messages.at(-1)?.seq ?? 0, log.syncedSeq ?? 0)
  return held + Math.max(0, log.newestSeq - reach)
}
