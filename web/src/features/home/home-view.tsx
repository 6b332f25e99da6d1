import type { Home, Video } from '@looptide/contracts/http/videos'
import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { useBrand } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { PlaceholderPicture } from '../../ui/placeholder-picture.tsx'
import { toast } from '../../ui/toast.ts'
import { VideoGrid, VideoGridSkeleton } from '../../ui/video-grid.tsx'
import { VideoRow, VideoRowSkeleton } from '../../ui/video-row.tsx'
import { useHome, usePlainListing } from './api.ts'
import { HeroCarousel } from './hero-carousel.tsx'
import { HERO_CONTENT, HeroShade, HeroSkeleton } from './hero-frame.tsx'

export interface VideoActions {
  onPlay: (video: Video) => void
  onDetails: (video: Video) => void
}

/** The home page of signed-in users: highlights, first of them the live picture, and rows of videos. */
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
    <main id="main" className="pb-12">
      <h1 className="sr-only">{name}</h1>
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

/** The catalogue without highlights and rows, if those cannot be loaded (docs/product/viewer.md §7, §8). */
function PlainListing({ onDetails, onRetry }: { onDetails: (video: Video) => void; onRetry: () => void }) {
  const { data, error, mutate } = usePlainListing(true)
  const retry = () => {
    onRetry()
    void mutate()
  }
  if (error && !data) return <ErrorNotice text="Failed to load videos" onRetry={retry} />
  return (
    <section aria-label="All Videos" className="mx-auto mt-6 grid max-w-[110rem] gap-5 px-4 sm:px-8">
      <div className="flex flex-wrap items-center gap-4">
        <h2 className="text-xl font-semibold">All Videos</h2>
        <Button icon="again" onClick={retry}>
          Try again
        </Button>
      </div>
      {data ? <VideoGrid videos={data.items} onOpen={onDetails} /> : <VideoGridSkeleton />}
    </section>
  )
}

/** Counts up to `count`, one step per render, so that a long page is rendered in parts and a slow phone stays responsive. */
function useGradually(count: number): number {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (shown < count) startTransition(() => setShown(shown + 1))
  }, [shown, count])
  return Math.min(shown, count)
}

/** Introduces the station where there are no highlights. */
function Welcome() {
  const { name, tagline } = useBrand()
  const { heroBackgroundUrl } = useStationPictures()
  return (
    <section aria-label="Welcome" className="relative isolate h-80 overflow-hidden bg-floor">
      {heroBackgroundUrl ? (
        <div className="absolute inset-0 bg-(image:--theme-hero-background) bg-cover bg-center" />
      ) : (
        <PlaceholderPicture className="absolute inset-0" />
      )}
      <HeroShade />
      <div className={HERO_CONTENT}>
        <div className="grid gap-1">
          <p className="text-4xl font-bold tracking-tight">{name}</p>
          <p className="text-lg text-muted">{tagline}</p>
        </div>
      </div>
    </section>
  )
}
