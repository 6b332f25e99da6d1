import type { Video } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'

const gridClass =
  'grid grid-cols-1 gap-x-4 gap-y-8 min-[30rem]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5'

/** The search results as cards, which play on the live page. */
export function ResultsGrid({ videos }: { videos: Video[] }) {
  return (
    <ul aria-label="Videos found" className={gridClass}>
      {videos.map((video) => (
        <li key={video.id}>
          <Result video={video} />
        </li>
      ))}
    </ul>
  )
}

function Result({ video }: { video: Video }) {
  return (
    <VideoCard video={video} heading="h2">
      {video.genre && (
        <span className="mt-2 block w-fit max-w-full truncate rounded-sm bg-raised px-2 py-0.5 text-xs font-medium">
          {video.genre}
        </span>
      )}
      {video.description && (
        <p className="mt-2 line-clamp-2 text-sm wrap-anywhere text-muted">{video.description}</p>
      )}
      <Link
        to={paths.live()}
        state={{ videoId: video.id, fromSearch: true }}
        className={buttonClass('quiet', 'mt-3')}
        aria-label={`Play Now: ${video.title}`}
      >
        <Icon name="play" className="size-4" />
        Play Now
      </Link>
    </VideoCard>
  )
}

/** The placeholder of the loading grid. */
export function ResultsSkeleton() {
  return (
    <div role="status" aria-label="Searching" className="grid gap-6">
      <Skeleton className="h-6 w-36" />
      <div className={gridClass}>
        {Array.from({ length: 10 }, (_, index) => (
          <div key={String(index)} className="grid content-start gap-2.5">
            <Skeleton className="aspect-video" />
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="mt-2 h-11 w-28" />
          </div>
        ))}
      </div>
    </div>
  )
}

/** A video with thumbnail, duration, title and artist; `children` are its actions. `heading` is the level of the title. */
function VideoCard(props: { video: Video; heading: 'h2' | 'h3'; children?: ReactNode }) {
  const { video, heading: Heading, children } = props
  return (
    <article className="grid gap-2.5">
      <div className="relative overflow-hidden rounded-md">
        <Thumbnail url={video.thumbnailUrl} />
        <span className="absolute right-1.5 bottom-1.5 rounded-sm bg-black/80 px-1.5 py-0.5 text-xs font-semibold text-white tabular-nums">
          {video.duration}
        </span>
      </div>
      <div className="min-w-0">
        <Heading className="line-clamp-2 leading-snug font-semibold wrap-anywhere">{video.title}</Heading>
        <p className="mt-0.5 truncate text-sm text-muted">{video.artistName}</p>
        {children}
      </div>
    </article>
  )
}
