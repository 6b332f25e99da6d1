import type { Home } from '@looptide/contracts/http/videos'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { useBrand } from '../../lib/use-config.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VideoCard } from '../../ui/video-card.tsx'
import { useHome } from './api.ts'

/** The catalogue of somebody who is signed in: first the way to the stream, then rows of videos. */
export function HomePage() {
  usePageTitle()
  const { data, error, mutate } = useHome()
  return (
    <main id="main" className="mx-auto grid max-w-[110rem] gap-10 px-4 py-6 sm:px-6 sm:py-8">
      <OnAir />
      {data ? <Rows home={data} /> : error ? <Failed onRetry={() => void mutate()} /> : <RowsSkeleton />}
    </main>
  )
}

function OnAir() {
  const { name, tagline } = useBrand()
  return (
    <section
      aria-label="On the air"
      className="relative grid gap-4 overflow-hidden rounded-lg border border-line/60 bg-panel px-6 py-10 sm:px-10 sm:py-14"
    >
      <div
        aria-hidden="true"
        className="absolute inset-0 bg-[radial-gradient(60rem_24rem_at_85%_20%,var(--theme-primary),transparent_70%)] opacity-25"
      />
      <div className="relative grid justify-items-start gap-4">
        <LiveBadge />
        <h1 className="text-3xl font-bold tracking-tight">{name}</h1>
        <p className="text-lg text-muted">{tagline}</p>
        <Link to={paths.live()} className={buttonClass('primary', 'mt-2 px-6 text-base')}>
          <Icon name="play" />
          Watch Live TV
        </Link>
      </div>
    </section>
  )
}

function Rows({ home }: { home: Home }) {
  const { isAdmin } = useSession()
  const rows = home.rows.filter((row) => row.videos.length > 0)
  if (rows.length === 0) {
    return (
      <EmptyNotice title="No videos yet">
        {isAdmin ? (
          <Link to={paths.admin()} className={buttonClass('primary')}>
            Add videos
          </Link>
        ) : (
          <p>The stream is on all the same: watch Live TV.</p>
        )}
      </EmptyNotice>
    )
  }
  return rows.map((row) => (
    <section key={row.title} aria-label={row.title} className="grid gap-4">
      <h2 className="text-xl font-semibold">{row.title}</h2>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-6 sm:grid-cols-3 sm:gap-x-4 lg:grid-cols-4 xl:grid-cols-5">
        {row.videos.map((video) => (
          <li key={video.id}>
            <Link
              to={paths.live()}
              state={{ videoId: video.id }}
              className="lift block rounded-md hover:brightness-110"
            >
              <VideoCard video={video} heading="h3" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function RowsSkeleton() {
  return (
    <div className="grid gap-4" role="status" aria-label="Loading videos">
      <Skeleton className="h-7 w-40" />
      <div className="grid grid-cols-2 gap-x-3 gap-y-6 sm:grid-cols-3 sm:gap-x-4 lg:grid-cols-4 xl:grid-cols-5">
        {Array.from({ length: 10 }, (_, index) => (
          <div key={String(index)} className="grid gap-2">
            <Skeleton className="aspect-video" />
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return <ErrorNotice text="Failed to load videos" onRetry={onRetry} />
}
