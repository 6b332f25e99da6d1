import { ConflictNotice } from '../drafts/conflict-notice.tsx'
import { type Entry, type PlaylistDifference, titleOf } from './draft.ts'
import type { PlaylistChanges } from './use-playlist-changes.ts'

const MOST_NAMED = 5

/** What another admin has changed in the playlist since the draft was begun. */
export function PlaylistConflict({
  changes,
  theirs,
}: {
  changes: PlaylistChanges
  theirs: PlaylistDifference
}) {
  return (
    <ConflictNotice
      title="Another admin has changed this playlist."
      isBusy={changes.isBusy}
      onMerge={changes.merge}
      onOverwrite={() => void changes.overwrite()}
    >
      <ul className="grid gap-0.5">
        <Line label="Added" entries={theirs.added} />
        <Line label="Removed" entries={theirs.removed} />
        <Line label="Moved" entries={theirs.moved} />
      </ul>
    </ConflictNotice>
  )
}

function Line({ label, entries }: { label: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  const more = entries.length - MOST_NAMED
  return (
    <li className="break-words">
      <span className="text-muted">{label}: </span>
      {entries.slice(0, MOST_NAMED).map(titleOf).join(', ')}
      {more > 0 && ` and ${more} more`}
    </li>
  )
}
