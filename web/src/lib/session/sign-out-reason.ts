/** Why a session ends; `ended` if no reason is known. */
export type SignOutReason =
  /** `pageId` is the page load on which the user signed out. */
  | { kind: 'by-user'; pageId: string }
  | { kind: 'deleted' }
  /** `reason` is null until it is known. */
  | { kind: 'banned'; reason: string | null }
  | { kind: 'ended' }

const KEY = 'looptide-sign-out-reason'
/** An older entry belongs to an earlier session. */
const MAX_AGE_MS = 10_000

interface Entry {
  reason: SignOutReason
  atMs: number
}

/** Saves why the session is about to end, so that every tab of this browser shows the same message. */
export function saveSignOutReason(reason: SignOutReason, nowMs = Date.now()): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ reason, atMs: nowMs } satisfies Entry))
  } catch {
    // Without storage the page shows that the session has ended.
  }
}

/** Saves that the account is banned, unless that is saved already, with the reason. */
export function saveBan(): void {
  if (readSignOutReason().kind !== 'banned') saveSignOutReason({ kind: 'banned', reason: null })
}

/** Why the session ended within the last 10 s. */
export function readSignOutReason(nowMs = Date.now()): SignOutReason {
  try {
    const entry = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Entry | null
    if (entry && Math.abs(nowMs - entry.atMs) < MAX_AGE_MS) return entry.reason
  } catch {
    // An unreadable entry counts as none.
  }
  return { kind: 'ended' }
}
