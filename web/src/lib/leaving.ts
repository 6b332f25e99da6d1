/** Why a session ends; `ended` is for whatever nobody gave a reason for. */
export type Leaving =
  | { kind: 'wished' }
  | { kind: 'deleted' }
  | { kind: 'banned'; reason: string }
  | { kind: 'ended' }

const KEY = 'looptide-leaving'
/** An older note is about another leaving. */
const FRESH_MS = 10_000

type Note = { leaving: Leaving; atMs: number }

/**
 * Notes why the session is about to end, for every tab of this browser: they all lose it, and each has to say the
 * same about it, or nothing.
 */
export function noteLeaving(leaving: Leaving, nowMs = Date.now()): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ leaving, atMs: nowMs } satisfies Note))
  } catch {
    // Without storage there are no other tabs to be told, and this one says that the session has ended.
  }
}

/** Why the session has ended just now. */
export function whyLeft(nowMs = Date.now()): Leaving {
  try {
    const note = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Note | null
    if (note && Math.abs(nowMs - note.atMs) < FRESH_MS) return note.leaving
  } catch {
    // Unreadable is as good as not there.
  }
  return { kind: 'ended' }
}
