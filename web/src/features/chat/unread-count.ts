/** What has been heard of a chat whose panel is closed: its newest number, and which unread ones were taken down. */
export type Heard = { newestSeq: number | null; removedSeqs: readonly number[] }

export const NOTHING_HEARD: Heard = { newestSeq: null, removedSeqs: [] }

/** More than this is shown as "99+", so that it need not be known exactly. */
const REMEMBERED = 200

export const heardUpTo = (heard: Heard, seq: number): Heard =>
  seq <= (heard.newestSeq ?? -1) ? heard : { ...heard, newestSeq: seq }

export const heardRemoval = (heard: Heard, seq: number): Heard =>
  heard.removedSeqs.includes(seq)
    ? heard
    : { ...heard, removedSeqs: [...heard.removedSeqs, seq].slice(-REMEMBERED) }

/** How many messages after the mark still stand; 0 while there is no mark or nothing has been heard. */
export function unreadCount({ newestSeq, removedSeqs }: Heard, mark: number | undefined): number {
  if (newestSeq === null || mark === undefined) return 0
  const removed = removedSeqs.filter((seq) => seq > mark && seq <= newestSeq).length
  return Math.max(0, newestSeq - mark - removed)
}
