import type { QuarantinedVideo } from '@looptide/contracts/http/channels'
import { DELETED_DAYS } from '@looptide/contracts/http/deleted-videos'
import { useState } from 'react'
import { serverClock } from '../../../../lib/clients.ts'
import { dateLocale } from '../../../../lib/date-locale.ts'
import { timeAgo } from '../../../../lib/time-ago.ts'
import { useFailureToast } from '../../../../lib/use-failure-toast.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../../../ui/notice.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../../ui/thumbnail.tsx'
import { toast } from '../../../../ui/toast.ts'
import { showFailure } from '../../shared/show-failure.ts'
import { deleteVideo, releaseVideo, updateVideoMetadata, useQuarantine } from './api.ts'
import { reasonLabel } from './reason-label.ts'
import { ReplaceDialog } from './replace-dialog.tsx'

/** Lists videos that were taken off the air because viewers could not play them, to release, replace or delete them. */
export function QuarantinedVideos() {
  const list = useQuarantine()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = list.videos?.filter(({ video: { title, artistName } }) =>
    `${title}\n${artistName}`.toLowerCase().includes(wanted),
  )
  return (
    <section aria-labelledby="quarantined-videos" className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        <h3 id="quarantined-videos" className="mr-auto text-lg font-semibold">
          Quarantined videos{list.videos && ` (${list.videos.length}${list.hasMore ? '+' : ''})`}
        </h3>
        {list.videos !== undefined && list.videos.length > 0 && (
          <TextField
            label="Search quarantined videos"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </div>
      <Rows list={list} shown={shown} />
      {list.hasMore && (
        <Button className="justify-self-center" disabled={list.isLoadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </section>
  )
}

function Rows(props: {
  list: ReturnType<typeof useQuarantine>
  shown: readonly QuarantinedVideo[] | undefined
}) {
  const { list, shown } = props
  useFailureToast('Error loading videos', shown ? undefined : list.error)
  if (!shown) {
    if (list.error) return <ErrorNotice text="Error loading videos" onRetry={list.reload} />
    return (
      <div role="status" aria-label="Loading quarantined videos" className="grid gap-2">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </div>
    )
  }
  if (list.videos?.length === 0) {
    return (
      <EmptyNotice title="No quarantined videos">
        <p>Videos that three viewers could not play are taken off the air and listed here.</p>
      </EmptyNotice>
    )
  }
  if (shown.length === 0) return <p className="py-6 text-center text-muted">No matching videos.</p>
  return (
    <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
      {shown.map((entry) => (
        <Row key={entry.videoId} entry={entry} onGone={() => list.hide(entry.videoId)} />
      ))}
    </ul>
  )
}

function Row({ entry, onGone }: { entry: QuarantinedVideo; onGone: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const [isReplacing, setReplacing] = useState(false)
  const { video, videoId } = entry

  const run = async (
    action: () => Promise<unknown>,
    done: { title: string; text?: string },
    failed: Failure,
  ) => {
    setBusy(true)
    try {
      await action()
      toast({ title: done.title, ...(done.text && { description: done.text }), tone: 'success' })
      return true
    } catch (failure) {
      showFailure(failure, failed)
      return false
    } finally {
      setBusy(false)
    }
  }
  const release = async () => {
    const done = { title: 'Video Released', text: `${video.title} can be on the air again.` }
    const failed = { title: 'Error releasing video', text: 'Failed to release the video. Please try again.' }
    if (await run(() => releaseVideo(videoId), done, failed)) onGone()
  }
  const remove = async () => {
    setConfirming(false)
    const failed = { title: 'Error deleting videos', text: 'Failed to delete videos. Please try again.' }
    if (await run(() => deleteVideo(videoId), { title: 'Videos deleted' }, failed)) onGone()
  }
  const updateMetadata = () =>
    run(
      () => updateVideoMetadata(videoId),
      { title: 'Metadata requested', text: `Fetching the metadata of ${video.title} from YouTube.` },
      { title: 'Error updating metadata', text: 'Failed to request metadata. Please try again.' },
    )

  return (
    <li className="grid gap-3 p-4 sm:flex sm:items-start sm:gap-4">
      <Thumbnail url={video.thumbnailUrl} className="hidden w-28 shrink-0 rounded-sm sm:block" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{video.title}</p>
        <p className="truncate text-sm text-muted">{video.artistName}</p>
        <p className="text-sm">⚠ {reasonLabel(entry.reason)}</p>
        <p className="text-sm text-muted">
          Taken off the air{' '}
          <time
            dateTime={entry.quarantinedAt}
            title={new Date(entry.quarantinedAt).toLocaleString(dateLocale)}
          >
            {timeAgo(entry.quarantinedAt, serverClock.nowMs())}
          </time>
          {entry.channelId && ` on ${entry.channelId}`} • reported by {entry.reports}{' '}
          {entry.reports === 1 ? 'viewer' : 'viewers'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 sm:max-w-xs sm:justify-end">
        <Button disabled={isBusy} onClick={() => void release()}>
          Release
        </Button>
        {video.youtubeId && (
          <Button disabled={isBusy} onClick={() => void updateMetadata()}>
            Update Metadata
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => setReplacing(true)}>
          Replace
        </Button>
        <Button disabled={isBusy} onClick={() => setConfirming(true)}>
          Delete
        </Button>
      </div>
      {isReplacing && (
        <ReplaceDialog
          video={video}
          onReplaced={() => {
            setReplacing(false)
            onGone()
          }}
          onClose={() => setReplacing(false)}
        />
      )}
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${video.title}?`}
          confirmLabel="Delete"
          onConfirm={() => void remove()}
          onCancel={() => setConfirming(false)}
        >
          <p>
            It will be removed from the library and all channel playlists. Recently deleted in the Video
            Library keeps it for {DELETED_DAYS} days.
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}

type Failure = { title: string; text: string }
