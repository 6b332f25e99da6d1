import type { Video } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'

/** Video Details on the live page (docs/product/viewer.md §2): the details of a video, with a button that plays it. */
export function VideoDetailsDialog(props: {
  video: Video
  /** Further buttons beside Play This Video. */
  actions?: ReactNode
  onPlay: () => void
  onClose: () => void
}) {
  const { video } = props
  return (
    <Dialog title="Video Details" isOpen onClose={props.onClose} width="medium">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
          <div className="relative h-fit overflow-hidden rounded-md">
            <Thumbnail url={video.thumbnailUrl} />
            <span className="absolute right-1.5 bottom-1.5 rounded-sm bg-black/80 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums">
              {video.duration}
            </span>
          </div>
          <div className="grid content-start gap-1.5">
            <h3 className="text-xl font-semibold wrap-anywhere">{video.title}</h3>
            <p className="wrap-anywhere text-muted">{video.artistName}</p>
            {video.genre && (
              <span className="mt-1 w-fit rounded-sm bg-raised px-2 py-0.5 text-xs font-medium">
                {video.genre}
              </span>
            )}
            <div className="mt-3 flex flex-wrap gap-3">
              <Button tone="primary" icon="play" onClick={props.onPlay}>
                Play This Video
              </Button>
              {props.actions}
            </div>
          </div>
        </div>
        {video.description && (
          <p className="text-sm leading-relaxed wrap-anywhere whitespace-pre-line text-muted">
            {video.description}
          </p>
        )}
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 border-t border-line pt-4 text-sm">
          <Fact name="Added">
            <time dateTime={video.createdAt}>
              {new Date(video.createdAt).toLocaleDateString(dateLocale, { dateStyle: 'long' })}
            </time>
          </Fact>
          <Fact name="Video ID">{video.id}</Fact>
          <Fact name="YouTube ID">{video.youtubeId ?? 'None (hosted by this station)'}</Fact>
        </dl>
      </div>
    </Dialog>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="break-all">{children}</dd>
    </>
  )
}
