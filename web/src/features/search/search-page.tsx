import type { Video } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { ownPage } from '../../lib/session/next-page.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { RESULTS_PAGE_LIMIT, useSearch, useVideo } from './api.ts'
import { type RequestedSearch, requestedSearch, type SearchState } from './requested-search.ts'

/**
 * The search results. The query is in the URL, so that the page can be shared and reloaded; navigation state (docs/product/viewer.md §2) is supported as well.
 */
export function SearchPage() {
  const [parameters] = useSearchParams()
  const state = (useLocation().state ?? {}) as SearchState
  const requested = requestedSearch(parameters, state)
  const navigate = useNavigate()
  usePageTitle(requested?.title ?? 'Search')
  const back = ownPage(state.fromPath ?? paths.root(), window.location.origin) ?? paths.root()
  return (
    <main id="main" className="mx-auto grid max-w-[110rem] gap-6 px-4 py-6 sm:px-6 sm:py-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon="back" onClick={() => void navigate(back)}>
          Back
        </Button>
        <h1 className="min-w-0 text-2xl font-semibold wrap-anywhere">{requested?.title ?? 'Search'}</h1>
      </div>
      {requested ? <Results key={requested.title} requested={requested} /> : <NothingAsked />}
    </main>
  )
}

function Results({ requested }: { requested: RequestedSearch }) {
  const { data, error, mutate } = useSearch(requested.query, RESULTS_PAGE_LIMIT)
  const chosen = useVideo(requested.videoId)
  const isChosenSettled =
    requested.videoId === null || chosen.data !== undefined || chosen.error !== undefined
  if (error && !data) {
    return <ErrorNotice text="Failed to load search results" onRetry={() => void mutate()} />
  }
  if (!data || !isChosenSettled) return <ResultsSkeleton />
  // The chosen video comes first, before others with the same title.
  const videos = chosen.data
    ? [chosen.data, ...data.videos.filter(({ id }) => id !== chosen.data?.id)]
    : data.videos
  if (videos.length === 0) return <NothingFound text={requested.nothing} />
  const isFull = data.videos.length === RESULTS_PAGE_LIMIT
  return (
    <>
      <p role="status" className="text-muted">
        {videos.length} video(s) found
        {isFull && ' – only the newest are shown. Add words to narrow the search'}
      </p>
      <ResultsGrid videos={videos} />
    </>
  )
}

function focusSearch() {
  const box = document.querySelector<HTMLInputElement>('header input[type="search"]')
  if (box?.checkVisibility()) box.focus()
  else document.querySelector<HTMLButtonElement>('header button[aria-label="Open search"]')?.click()
}

function NothingFound({ text }: { text: string }) {
  return (
    <div role="status" className="grid justify-items-center gap-3 px-4 py-16 text-center">
      <p className="text-xl font-semibold">Sorry video not found</p>
      <p className="max-w-lg wrap-anywhere text-muted">{text}</p>
      <Button tone="primary" icon="search" className="mt-2" onClick={focusSearch}>
        Search Again
      </Button>
    </div>
  )
}

function NothingAsked() {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-16 text-center">
      <p className="text-muted">Search titles, artists, genres and descriptions.</p>
      <Button tone="primary" icon="search" onClick={focusSearch}>
        Search
      </Button>
    </div>
  )
}

const gridClass =
  'grid grid-cols-1 gap-x-4 gap-y-8 min-[30rem]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5'

/** The search results as cards, which play on the live page. */
function ResultsGrid({ videos }: { videos: Video[] }) {
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
function ResultsSkeleton() {
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
