/**
 * The progress of a source through its order. A cycle plays each item once; `played` holds those of the current cycle.
 * An item that a rule forbids stays at its place in `queue` and is taken at the first opportunity.
 *
 * In playlist order, a source that skips nothing stores only the last item taken, because the playlist determines the next one.
 * States of earlier releases have only the first three fields.
 */
export interface SourceState {
  cycle: number
  queue: readonly string[]
  played: readonly string[]
  /** Number of items that the cycle has played. */
  count?: number
  /** The item that was taken last, apart from skipped ones; null at the beginning. */
  last?: string | null
  /** Number of items at the front of `queue` that were skipped. */
  skipped?: number
  /** The last item of the cycle. */
  tail?: string | null
  /** Checksum of the playlist, in playlist order: an unchanged one continues exactly as stored. */
  checksum?: number
}
