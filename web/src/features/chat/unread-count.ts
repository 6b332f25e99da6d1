/** What is received of a chat whose panel is closed: the newest `seq`, and the deleted ones. */
export interface Received {
  newestSeq: number | null
  removedSeqs: readonly number[]
}

export const NOTHING_RECEIVED: Received = { newestSeq: null, removedSeqs: [] }

/** Maximum number of deletions kept. More unread messages are shown as "99+", so the count need not be exact. */
const MAX_REMOVED = 200

/** Notes that messages up to `seq` exist. The same object if that is known. */
export const receivedUpTo = (received: Received, seq: number): Received =>
  seq <= (received.newestSeq ?? -1) ? received : { ...received, newestSeq: seq }

/** Notes that the message `seq` was removed, so that it does not count as unread. The same object if that is known. */
export const receivedRemoval = (received: Received, seq: number): Received =>
  received.removedSeqs.includes(seq)
    ? received
    : { ...received, removedSeqs: [...received.removedSeqs, seq].slice(-MAX_REMOVED) }

/** The number of messages after the read position, without deleted ones; 0 while either is unknown. */
export function unreadCount({ newestSeq, removedSeqs }: Received, readSeq: number | undefined): number {
  if (newestSeq === null || readSeq === undefined) return 0
  const removed = removedSeqs.filter((seq) => seq > readSeq && seq <= newestSeq).length
  return Math.max(0, newestSeq - readSeq - removed)
}
