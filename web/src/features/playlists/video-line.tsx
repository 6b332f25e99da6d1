import type { Video } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { ReviewNote } from '../../ui/review-note.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'

/** A video as one line of a list: picture, title, artist and length; `children` are what can be done with it. */
export function VideoLine(props: { video: Video; className?: string; children?: ReactNode }) {
  const { video, className, children } = props
  return (
    <div className={classNames('flex min-w-0 items-center gap-3', className)}>
      <Thumbnail url={video.thumbnailUrl} className="w-20 shrink-0 rounded-sm sm:w-28" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-sm leading-snug font-medium wrap-anywhere">{video.title}</p>
        <p className="mt-0.5 flex text-sm whitespace-pre text-muted">
          <span className="truncate">{video.artistName}</span>
          <span aria-hidden="true"> · </span>
          <span className="tabular-nums">{video.duration}</span>
        </p>
        <ReviewNote video={video} />
      </div>
      {children}
    </div>
  )
}

/** The placeholder of loading lines. */
export function VideoLinesSkeleton({ count = 4 }: { count?: number }) {
  return (
    <div role="status" aria-label="Loading videos" className="grid gap-3">
      {Array.from({ length: count }, (_, index) => (
        <div key={String(index)} className="flex items-center gap-3">
          <div className="aspect-video w-24 shrink-0 animate-breathe rounded-sm bg-raised sm:w-28" />
          <div className="grid flex-1 gap-2">
            <div className="h-4 w-3/4 animate-breathe rounded-sm bg-raised" />
            <div className="h-3.5 w-1/3 animate-breathe rounded-sm bg-raised" />
          </div>
        </div>
      ))}
    </div>
  )
}
