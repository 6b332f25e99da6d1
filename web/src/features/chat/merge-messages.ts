import type { ChatMessage } from '@looptide/contracts/http/chat'

/**
 * What is known of a channel's chat. `syncedSeq`: up to this number nothing is missing, so this is where to ask on
 * from after an absence; null before the first page.
 */
export type ChatLog = {
  messages: readonly ChatMessage[]
  removedIds: ReadonlySet<string>
  syncedSeq: number | null
}

export const EMPTY_LOG: ChatLog = { messages: [], removedIds: new Set(), syncedSeq: null }

/** More than this many are not kept in the page: nobody reads back that far without asking for it. */
export const KEPT_MESSAGES = 300

/** Messages in order of `seq`, each once, without those that were taken down; the newest 300 of them. */
function merge(log: ChatLog, incoming: readonly ChatMessage[], removed: readonly string[]): ChatLog {
  const removedIds = removed.length > 0 ? new Set([...log.removedIds, ...removed]) : log.removedIds
  const byId = new Map(log.messages.map((message) => [message.id, message]))
  for (const message of incoming) byId.set(message.id, message)
  const messages = [...byId.values()]
    .filter(({ id }) => !removedIds.has(id))
    .toSorted((a, b) => a.seq - b.seq)
    .slice(-KEPT_MESSAGES)
  return { ...log, messages, removedIds }
}

/**
 * Takes in a page: the newest messages, or those after `syncedSeq`. `isComplete` when nothing newer was left out.
 */
export function withPage(
  log: ChatLog,
  page: { items: readonly ChatMessage[]; lastSeq: number; removedIds: readonly string[] },
  isComplete: boolean,
): ChatLog {
  const reached = isComplete ? page.lastSeq : (page.items.at(-1)?.seq ?? page.lastSeq)
  const merged = merge(log, page.items, page.removedIds)
  return { ...merged, syncedSeq: Math.max(log.syncedSeq ?? 0, reached) }
}

/** Takes in one message from the socket, or the answer to one's own. */
export function withMessage(log: ChatLog, message: ChatMessage): ChatLog {
  const merged = merge(log, [message], [])
  return message.seq === (log.syncedSeq ?? -1) + 1 ? { ...merged, syncedSeq: message.seq } : merged
}

/** Takes a message down; it stays down even if it arrives only later. */
export function withoutMessage(log: ChatLog, messageId: string): ChatLog {
  return merge(log, [], [messageId])
}

/** A message has been seen beyond one that has not: something was missed and must be fetched. */
export function hasGap(log: ChatLog): boolean {
  const newest = log.messages.at(-1)
  return newest !== undefined && newest.seq > (log.syncedSeq ?? 0)
}
