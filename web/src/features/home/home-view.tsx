import type { Home, Video } from '@looptide/contracts/http/videos'
import { useDeferredValue, useEffect } from 'react'
import { Link } from 'react-router-dom'
import { useBrand } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { VideoRow, VideoRowSkeleton } from '../../ui/video-row.tsx'
import { useHome } from './api.ts'
import { HeroCarousel } from './hero-carousel.tsx'
import { HeroSkeleton } from './hero-frame.tsx'
import { OnAirLink } from './on-air-link.tsx'
import { PlainListing } from './plain-listing.tsx'
import { useGradually } from './use-gradually.ts'
import { Welcome } from './welcome.tsx'

export interface VideoActions {
  onPlay: (video: Video) => void
  onDetails: (video: Video) => void
}

/** The home page of signed-in users: highlights, a link to the stream, and rows of videos. */
export function HomeView(props: VideoActions & { isCovered: boolean }) {
  usePageTitle()
  const { name } = useBrand()
  const { data: newest, error, mutate } = useHome()
  // Several hundred elements: rendered in steps, so that the page stays responsive.
  const data = useDeferredValue(newest)
  const hasFailed = Boolean(error) && !newest
  useEffect(() => {
    if (hasFailed) toast({ title: 'Error', description: 'Failed to load videos', tone: 'error' })
  }, [hasFailed])

  return (
    <main id="main" className="relative pb-12">
      <h1 className="sr-only">{name}</h1>
      <div className="pointer-events-none absolute inset-x-0 top-0 z-10 mx-auto max-w-[110rem] px-4 pt-4 sm:px-8 sm:pt-6">
        <div className="pointer-events-auto w-fit max-w-full">
          <OnAirLink />
        </div>
      </div>
      {data ? (
        <Catalogue home={data} {...props} />
      ) : hasFailed ? (
        <>
          <Welcome />
          <PlainListing onDetails={props.onDetails} onRetry={() => void mutate()} />
        </>
      ) : (
        <HomeSkeleton />
      )}
    </main>
  )
}

function Catalogue(props: VideoActions & { home: Home; isCovered: boolean }) {
  const { home, onPlay, onDetails, isCovered } = props
  const rows = home.rows.filter((row) => row.videos.length > 0)
  const drawn = useGradually(rows.length)
  if (rows.length === 0) {
    return (
      <>
        <Welcome />
        <Empty />
      </>
    )
  }
  return (
    <>
      <HeroCarousel videos={home.hero} isCovered={isCovered} onPlay={onPlay} onDetails={onDetails} />
      <div className="mx-auto mt-6 grid max-w-[110rem] gap-8">
        {rows.slice(0, drawn).map((row) => (
          <VideoRow
            key={row.title}
            title={row.title}
            videos={row.videos}
            size={row.title === 'Featured Content' ? 'large' : 'medium'}
            onOpen={onDetails}
            beside={row.title === 'All Videos' && <SeeAllLink />}
          />
        ))}
      </div>
    </>
  )
}

function SeeAllLink() {
  return (
    <Link to={paths.videos()} className={buttonClass('plain', 'px-3 text-link')}>
      See all
    </Link>
  )
}

function Empty() {
  const { may } = useSession()
  return (
    <EmptyNotice title="No videos yet">
      {may('videos:edit') ? (
        <Link to={paths.admin()} className={buttonClass('primary')}>
          Add videos
        </Link>
      ) : (
        <p>The live stream is on: watch Live TV.</p>
      )}
    </EmptyNotice>
  )
}

function HomeSkeleton() {
  return (
    <div role="status" aria-label="Loading videos">
      <HeroSkeleton />
      <div className="mx-auto mt-6 grid max-w-[110rem] gap-8">
        <VideoRowSkeleton />
        <VideoRowSkeleton size="large" />
        <VideoRowSkeleton />
      </div>
    </div>
  )
}
