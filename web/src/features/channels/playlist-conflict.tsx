import { ConflictNotice, DifferenceLines } from '../admin/drafts/conflict-notice.tsx'
import { useLastEditor } from '../audit/api.ts'
import { type PlaylistDifference, titleOf } from './draft.ts'
import type { PlaylistChanges } from './use-playlist-changes.ts'

/** Lists what another admin has changed in the playlist since the draft was started. */
export function PlaylistConflict(props: {
  channelId: string
  changes: PlaylistChanges
  theirs: PlaylistDifference
}) {
  const { changes } = props
  return (
    <ConflictNotice
      title="Another admin has changed this playlist."
      changedBy={useLastEditor('playlist', props.channelId)}
      isBusy={changes.isBusy}
      onMerge={changes.merge}
      onOverwrite={() => void changes.overwrite()}
    >
      <DifferenceLines difference={props.theirs} titleOf={titleOf} />
    </ConflictNotice>
  )
}
