import { DELETED_RETENTION_DAYS } from '@looptide/contracts/http/deleted-videos'
import type { Video } from '@looptide/contracts/http/videos'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Selection } from './selection.ts'
import { ShortenedChannels } from './shortened-channels.tsx'

/** More than this many at once is a guarded action (decisions, "Guarded actions"). */
const UNGUARDED_DELETES = 20
/** How many videos are named; the others are counted. */
const NAMED = 5

/** Asks before chosen videos are deleted. */
export function DeleteDialog(props: {
  selected: Selection
  videos: readonly Video[]
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  const count = props.selected.size
  const named = props.videos.filter(({ id }) => props.selected.has(id)).slice(0, NAMED)
  const what = count === 1 ? 'this video' : `${count} videos`
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      confirmLabel={count === 1 ? 'Delete video' : `Delete ${count} videos`}
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <ul className="grid gap-1 text-text">
        {named.map(({ id, title }) => (
          <li key={id} className="truncate">
            {title}
          </li>
        ))}
        {count > named.length && <li className="text-muted">and {count - named.length} more</li>}
      </ul>
      <p>They leave the library, every playlist and the programme. What is on the air plays to its end.</p>
      <p>
        Recently deleted keeps them for {DELETED_RETENTION_DAYS} days: restoring a video puts it back where it
        was.
      </p>
      <ShortenedChannels selected={props.selected} />
      {count > UNGUARDED_DELETES && (
        <p>Deleting more than {UNGUARDED_DELETES} videos at once is limited to 10 times an hour.</p>
      )}
    </ConfirmDialog>
  )
}
