import { ConflictNotice } from '../drafts/conflict-notice.tsx'
import { type Entry, type PlaylistDifference, titleOf } from './draft.ts'
import type { PlaylistChanges } from './use-playlist-changes.ts'

const SHOWN_TITLES = 5

/** Lists what another admin has changed in the playlist since the draft was started. */
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
  const more = entries.length - SHOWN_TITLES
  return (
    <li className="break-words">
      <span className="text-muted">{label}: </span>
      {entries.slice(0, SHOWN_TITLES).map(titleOf).join(', ')}
      {more > 0 && ` and ${more} more`}
    </li>
  )
}
