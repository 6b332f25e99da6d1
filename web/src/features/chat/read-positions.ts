/**
 * The read position of each channel's chat, for the lifetime of the page. Kept outside of components, because both the
 * chat panel, which may be closed, and the chat button use it.
 */
const positions = new Map<string, number>()
const listeners = new Set<() => void>()

/** The `seq` of the last message read; undefined if the chat has not been open. */
export const readPosition = (channelId: string): number | undefined => positions.get(channelId)

/** Moves the read position forward to `seq`. */
export function markRead(channelId: string, seq: number): void {
  if (seq <= (positions.get(channelId) ?? -1)) return
  positions.set(channelId, seq)
  for (const listener of [...listeners]) listener()
}

/** Calls back when a read position changes. Returns a function that unsubscribes. */
export function onReadPosition(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
