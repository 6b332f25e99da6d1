import { REVERSIBLE_ACTIONS_PER_HOUR } from '@looptide/contracts/guarded-actions'
import { DELETED_RETENTION_DAYS } from '@looptide/contracts/http/deleted-videos'
import { MAX_REMOVED_VIDEOS, type ShortLoops } from '@looptide/contracts/http/loops'
import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration } from '@looptide/playhead/duration'
import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import { api } from '../../lib/clients.ts'
import { videoName } from '../../lib/video-name.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../admin/selection.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { ITEMS_PER_REQUEST } from './url-lines.ts'

/** Deleting more videos than this at once is limited per hour. */
const UNGUARDED_DELETES = 20
/** Number of videos listed by title; the rest are counted. */
const NAMED = 5

/** Confirms the deletion of the selected videos. */
export function DeleteDialog(props: {
  selected: Selection
  videos: readonly Video[]
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  // The selection at the time of the question: deleted videos leave the current one while the dialog is open.
  const [selected] = useState(props.selected)
  const [named] = useState(() => props.videos.filter(({ id }) => selected.has(id)).slice(0, NAMED))
  const count = selected.size
  const what = count === 1 ? 'this video' : videoCountText(count)
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      confirmLabel={count === 1 ? 'Delete video' : `Delete ${videoCountText(count)}`}
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <ul className="grid gap-1 text-text">
        {named.map((video) => (
          <li key={video.id} className="line-clamp-2 wrap-anywhere">
            {videoName(video)}
          </li>
        ))}
        {count > named.length && <li className="text-muted">and {count - named.length} more</li>}
      </ul>
      <p>
        {count === 1 ? 'It' : 'They'} will be removed from the library, all playlists and the programme. A
        video that is on the air plays to the end.
      </p>
      <p>
        For {DELETED_RETENTION_DAYS} days you can restore {count === 1 ? 'it' : 'them'} from Recently deleted,
        back to the same playlists.
      </p>
      <ShortenedChannels selected={selected} />
      {count > UNGUARDED_DELETES && (
        <p>
          Deleting more than {UNGUARDED_DELETES} videos at once is limited to {REVERSIBLE_ACTIONS_PER_HOUR}{' '}
          times an hour; every {ITEMS_PER_REQUEST} videos count as one.
        </p>
      )}
    </ConfirmDialog>
  )
}

/** Describes what a channel would play without the deleted videos. */
function shortenedText({ name, loop }: ShortLoops['items'][number]): string {
  const { videosCount, durationMs } = loop
  if (videosCount === 0) return `${name} would have nothing left to play.`
  return `${name} would play only ${videoCountText(videosCount)} (${formatDuration(durationMs)}) in a loop.`
}

/** Warns about channels that a deletion would leave with less than an hour of videos, or with none. */
function ShortenedChannels({ selected }: { selected: Selection }) {
  const ids = [...selected].slice(0, MAX_REMOVED_VIDEOS)
  const { data } = useSWRImmutable(
    ['POST /api/channels/short-loops', ids] as const,
    ([call, withoutVideoIds]) => api.call(call, { body: { withoutVideoIds } }),
  )
  if (!data || data.items.length === 0) return null
  return (
    <ul
      aria-label="Channels with a short playlist"
      className="grid gap-1 rounded-md border border-accent px-3 py-2 text-sm font-medium text-text"
    >
      {data.items.map((item) => (
        <li key={item.channelId} className="break-words">
          <span aria-hidden="true">⚠ </span>
          {shortenedText(item)}
        </li>
      ))}
    </ul>
  )
}
