import type { AuditEntry } from '@looptide/contracts/http/admin'

/** An entry, and how often it was saved automatically; `sinceInstant` is the first of those times. */
export interface FoldedEntry {
  entry: AuditEntry
  saves: number
  sinceInstant: string
}

/** The editor saves a draft by itself while a person works on it. */
const AUTOSAVE = 'schedule.save_draft'

const placeOf = ({ adminUserId, targetType, targetId }: AuditEntry): string =>
  `${adminUserId} ${targetType} ${targetId}`

/**
 * Folds the automatic saves of a person on one thing into the newest one of them, up to the person's next other action
 * there. `entries` are newest first.
 */
export function foldAutosaves(entries: readonly AuditEntry[]): FoldedEntry[] {
  const open = new Map<string, FoldedEntry>()
  return entries.flatMap((entry) => {
    const place = placeOf(entry)
    const known = open.get(place)
    if (entry.action === AUTOSAVE && known !== undefined) {
      known.saves += 1
      known.sinceInstant = entry.createdAt
      return []
    }
    const folded = { entry, saves: 1, sinceInstant: entry.createdAt }
    if (entry.action === AUTOSAVE) open.set(place, folded)
    else open.delete(place)
    return [folded]
  })
}
