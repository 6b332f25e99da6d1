import { CHAT_PAGE, type ChatMessage, type ChatPage } from '@looptide/contracts/http/chat'

/** What is known of a channel's chat: one stretch of it, in order of `seq`, without what was taken down. */
export type ChatLog = {
  messages: readonly ChatMessage[]
  removedIds: ReadonlySet<string>
  /** From the first message shown up to this number nothing is missing; null before the first page. */
  syncedSeq: number | null
  /** The highest number heard of. */
  newestSeq: number
  /** There may be something before the first message. */
  hasOlder: boolean
  /** The reader looks at the newest messages; else reads back, and what they look at must stay. */
  isFollowing: boolean
  /** The newest messages were let go of, or not taken in, for the sake of somebody who reads far back. */
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

/** So many are kept while following: older ones can be had again by scrolling up. */
export const KEPT_MESSAGES = 200
/** So many are kept while reading back: beyond, the newest are let go of. */
export const READ_BACK_MESSAGES = 600

/** Takes in messages and removals in any order, each once, and keeps within bounds. */
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

/** Numbers that follow one another without a hole leave nothing to ask for. */
function advanced(log: ChatLog): ChatLog {
  if (log.syncedSeq === null) return log
  let syncedSeq = log.syncedSeq
  for (const { seq } of log.messages) if (seq === syncedSeq + 1) syncedSeq = seq
  return syncedSeq === log.syncedSeq ? log : { ...log, syncedSeq }
}

/** Begins with the newest page: at first, or after an absence too long to catch up with. */
export function startedWith(log: ChatLog, page: ChatPage): ChatLog {
  const later = log.messages.filter(({ seq }) => seq > page.lastSeq)
  const blank = { ...log, messages: [], isCut: false, syncedSeq: page.lastSeq }
  const hasOlder = page.items.length === CHAT_PAGE
  return noted(insert({ ...blank, hasOlder }, [...page.items, ...later], page.removedIds), page)
}

/** Takes in the page that comes after `syncedSeq`. */
export function withNewer(log: ChatLog, page: ChatPage): ChatLog {
  const isComplete = page.items.length < CHAT_PAGE
  const reached = isComplete ? page.lastSeq : (page.items.at(-1)?.seq ?? page.lastSeq)
  const known = insert(log, page.items, page.removedIds)
  if (known.isCut) return noted(known, page)
  return noted(advanced({ ...known, syncedSeq: Math.max(known.syncedSeq ?? 0, reached) }), page)
}

/** Takes in the page that was asked for `before` a number, if that is still where the stretch begins. */
export function withOlder(log: ChatLog, page: ChatPage, before: number): ChatLog {
  if (log.messages[0] !== undefined && log.messages[0].seq < before) return log
  const hasOlder = page.items.length === CHAT_PAGE
  return noted(insert({ ...log, hasOlder }, page.items, page.removedIds), page)
}

const noted = (log: ChatLog, page: ChatPage): ChatLog => ({
  ...log,
  newestSeq: Math.max(log.newestSeq, page.lastSeq),
})

/** Takes in one message from the socket, or the answer to one's own. */
export const withMessage = (log: ChatLog, message: ChatMessage): ChatLog => insert(log, [message], [])

/** Takes a message down; it stays down even if it arrives only later. */
export const withoutMessage = (log: ChatLog, messageId: string): ChatLog => insert(log, [], [messageId])

/** Looks at the newest messages again; what was cut off is to be fetched, see {@link isBehind}. */
export const followed = (log: ChatLog): ChatLog =>
  log.isFollowing ? log : bounded({ ...log, isFollowing: true, isCut: false })

/** Begins to read back. */
export const readingBack = (log: ChatLog): ChatLog => (log.isFollowing ? { ...log, isFollowing: false } : log)

/** Takes in nothing newer for now. */
export const cutOff = (log: ChatLog): ChatLog => ({
  ...log,
  messages: log.messages.filter(({ seq }) => seq <= (log.syncedSeq ?? 0)),
  isCut: true,
})

/** Something newer is known to be there and must be fetched, unless the reader has no place for it now. */
export const isBehind = (log: ChatLog): boolean => !log.isCut && log.newestSeq > (log.syncedSeq ?? 0)

/** How many messages after a number there are, one's own not counted; those not held are guessed by their numbers. */
export function countAfter(log: ChatLog, seq: number, ownId: string | undefined): number {
  const held = log.messages.filter((message) => message.seq > seq && message.userId !== ownId).length
  const reach = Math.max(seq, log.messages.at(-1)?.seq ?? 0, log.syncedSeq ?? 0)
  return held + Math.max(0, log.newestSeq - reach)
}
