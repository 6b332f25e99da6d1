import type { Video } from '@looptide/contracts/http/videos'
import { VideoTile, VideoTileSkeleton } from './video-tile.tsx'

/** 2 to 6 columns, by width. */
const GRID =
  'grid grid-cols-2 gap-x-3 gap-y-7 sm:grid-cols-3 sm:gap-x-4 lg:grid-cols-4 xl:grid-cols-5 2xl:grid-cols-6'

/** A grid of video tiles, followed by `loadingCount` placeholders. */
export function VideoGrid(props: {
  videos: readonly Video[]
  loadingCount?: number
  onOpen: (video: Video) => void
}) {
  return (
    <ul className={GRID}>
      {props.videos.map((video) => (
        <li key={video.id} className="min-w-0">
          <VideoTile video={video} hasCategory onOpen={props.onOpen} />
        </li>
      ))}
      {Array.from({ length: props.loadingCount ?? 0 }, (_, index) => (
        <li key={String(index)} aria-hidden="true">
          <VideoTileSkeleton />
        </li>
      ))}
    </ul>
  )
}

/** The place of a grid of videos while they load, in its size. */
export function VideoGridSkeleton() {
  return (
    <div role="status" aria-label="Loading videos" className={GRID}>
      {Array.from({ length: 18 }, (_, index) => (
        <VideoTileSkeleton key={String(index)} />
      ))}
    </div>
  )
}
