import type { Video } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import { Thumbnail } from './thumbnail.tsx'

/** A video with thumbnail, duration, title and artist; `children` are its actions. `heading` is the level of the title. */
export function VideoCard(props: { video: Video; heading: 'h2' | 'h3'; children?: ReactNode }) {
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
