import {
  DELETED_RETENTION_DAYS,
  type DeletedVideo,
  MAX_DELETED_COUNTED,
} from '@looptide/contracts/http/deleted-videos'
import { useState } from 'react'
import { showFailure } from '../../../lib/failures.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { toast } from '../../../ui/toast.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { purgeVideos, restoreVideos, useDeletedVideos } from './api.ts'

/** "Recently deleted": restores videos, or deletes them permanently if the role allows it. */
export function DeletedVideosDialog({ onClose }: { onClose: () => void }) {
  const { may } = useSession()
  const deleted = useDeletedVideos()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { items, total } = deleted

  const run = async (work: (ids: string[]) => Promise<void>) => {
    setBusy(true)
    setConfirming(false)
    await work([...selected])
    setSelected(new Set())
    await deleted.reload()
    setBusy(false)
  }
  const restore = () => run(restoreVideos)
  const purge = () =>
    run(async (ids) => {
      try {
        const description = `${videoCountText(await purgeVideos(ids))} deleted permanently.`
        toast({ title: 'Videos deleted', description, tone: 'success' })
      } catch (failure) {
        showFailure(failure, { title: 'Error deleting videos', text: 'Please try again.' })
      }
    })

  return (
    <Dialog
      title={`Recently deleted (${total ?? '…'}${total === MAX_DELETED_COUNTED ? '+' : ''})`}
      description={`Videos are deleted permanently after ${DELETED_RETENTION_DAYS} days.`}
      isOpen
      onClose={onClose}
    >
      {items ? (
        <div className="grid gap-4">
          <DeletedList items={items} selected={selected} onSelect={setSelected} />
          {deleted.hasMore && <Button onClick={deleted.loadMore}>Show more</Button>}
          {items.length > 0 && !isConfirming && (
            <div className="flex flex-wrap items-center gap-2">
              <Button onClick={() => setSelected(new Set(items.map(({ video }) => video.id)))}>
                Select All
              </Button>
              <span role="status" className="mr-auto text-sm text-muted tabular-nums">
                {selected.size} selected
              </span>
              {may('videos:purge') && (
                <Button
                  icon="remove"
                  isBusy={isBusy}
                  disabled={selected.size === 0}
                  onClick={() => setConfirming(true)}
                >
                  Delete permanently...
                </Button>
              )}
              <Button
                tone="primary"
                isBusy={isBusy}
                disabled={selected.size === 0}
                onClick={() => void restore()}
              >
                Restore
              </Button>
            </div>
          )}
          {isConfirming && (
            <PurgeConfirmation
              count={selected.size}
              onConfirm={() => void purge()}
              onCancel={() => setConfirming(false)}
            />
          )}
        </div>
      ) : deleted.error ? (
        <ErrorNotice text="Error loading videos" onRetry={() => void deleted.reload()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  )
}

/** Confirms a permanent deletion, inside the dialog. */
function PurgeConfirmation(props: { count: number; onConfirm: () => void; onCancel: () => void }) {
  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">Delete permanently</legend>
      <p>Delete {videoCountText(props.count)} permanently? This cannot be undone.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={props.onCancel}>
          Cancel
        </Button>
        <Button tone="danger" onClick={props.onConfirm}>
          Delete permanently
        </Button>
      </div>
    </fieldset>
  )
}

function DeletedList(props: {
  items: readonly DeletedVideo[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}) {
  const { items, selected, onSelect } = props
  if (items.length === 0) return <EmptyNotice title="No deleted videos" />
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <ul
      aria-label="Deleted videos"
      className="max-h-96 overflow-y-auto overscroll-contain rounded-md border border-line/70"
    >
      {items.map(({ video, deletedAt }) => (
        <li key={video.id}>
          <label className="flex min-h-14 cursor-pointer items-center gap-3 p-2 hover:bg-raised">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-primary"
              checked={selected.has(video.id)}
              onChange={() => toggle(video.id)}
            />
            <Thumbnail url={video.thumbnailUrl} className="w-16 shrink-0 rounded-sm" />
            <span className="min-w-0 flex-1">
              <span className="block text-sm font-medium wrap-anywhere">{video.title}</span>
              <span className="block text-sm wrap-anywhere text-muted">
                <bdi>{video.artistName}</bdi> • deleted {new Date(deletedAt).toLocaleString(dateLocale)}
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
