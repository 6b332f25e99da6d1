/**
 * Up to which message each channel's chat has been read while this page is open. Kept outside of components: the
 * chat's panel comes and goes, and the button that opens it wants to know as well.
 */
const marks = new Map<string, number>()
const listeners = new Set<() => void>()

/** The number of the last message that was read; undefined when nobody has looked yet. */
export const readMark = (channelId: string): number | undefined => marks.get(channelId)

/** Notes that everything up to `seq` has been read. Never goes back. */
export function markRead(channelId: string, seq: number): void {
  if (seq <= (marks.get(channelId) ?? -1)) return
  marks.set(channelId, seq)
  for (const listener of [...listeners]) listener()
}

/** Calls back whenever a mark has moved; answers how to stop. */
export function onReadMark(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
