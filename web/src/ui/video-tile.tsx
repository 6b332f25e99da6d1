import type { Video } from '@looptide/contracts/http/videos'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Skeleton } from './skeleton.tsx'
import { Thumbnail } from './thumbnail.tsx'

/** A video as a button: thumbnail with duration, title, artist and optionally category. */
export function VideoTile(props: {
  video: Video
  /** Lets a row find the tile that was focused last. */
  id?: string
  hasCategory?: boolean
  onOpen: (video: Video) => void
}) {
  const { video, hasCategory = false, onOpen } = props
  return (
    <button
      type="button"
      id={props.id}
      onClick={() => onOpen(video)}
      className="lift group block w-full scroll-mt-24 scroll-mb-8 rounded-md text-left"
    >
      <span className="@container relative block overflow-hidden rounded-md ring-1 ring-line/50">
        <Thumbnail
          url={video.thumbnailUrl}
          // Whole pixels, so that all rows have pictures of the same height.
          className="h-[round(down,56.25cqw,1px)] transition-transform duration-300 group-hover:scale-[1.04] group-focus-visible:scale-[1.04]"
        />
        <span className="absolute right-1.5 bottom-1.5 rounded-sm bg-black/80 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums">
          {video.duration}
        </span>
      </span>
      <span className="mt-2.5 line-clamp-2 leading-snug font-semibold wrap-anywhere">{video.title}</span>
      <span className="mt-0.5 flex gap-2 text-sm text-muted">
        <span className="flex-1 truncate">{video.artistName}</span>
        {video.likeCount > 0 && (
          <span className="tabular-nums">
            <Icon name="heart" className="mr-1 inline size-4" />
            {video.likeCount}
            <span className="sr-only"> {video.likeCount === 1 ? 'like' : 'likes'}</span>
          </span>
        )}
      </span>
      {hasCategory && video.category && (
        <span className="mt-1.5 block w-fit max-w-full truncate rounded-sm bg-raised px-2 py-0.5 text-xs font-medium">
          {video.category}
        </span>
      )}
    </button>
  )
}

/** The placeholder of a tile that is loading. */
export function VideoTileSkeleton({ className }: { className?: string }) {
  return (
    <div className={classNames('grid content-start gap-2.5', className)}>
      <Skeleton className="aspect-video" />
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  )
}
