import type { Video } from '@looptide/contracts/http/videos'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VideoCard } from '../../ui/video-card.tsx'
import { RESULTS_PAGE_LIMIT, type SearchWish, useSearch } from './api.ts'

type Wish = { wish: SearchWish; title: string; nothing: string }

/** What to look for: the address says it; navigation state (viewer specification §2) is taken as well. */
function useWish(): Wish | null {
  const [parameters] = useSearchParams()
  const state = (useLocation().state ?? {}) as { query?: string; searchType?: string; artistName?: string }
  const artist = parameters.get('artist') ?? (state.searchType === 'artist' ? state.artistName : undefined)
  const query = (parameters.get('q') ?? state.query ?? '').trim()
  if (artist) {
    return {
      wish: { artist },
      title: `Videos by ${artist}`,
      nothing: `No videos found for artist "${artist}"`,
    }
  }
  if (query === '') return null
  return {
    wish: { q: query },
    title: `Search Results for "${query}"`,
    nothing: `No videos found matching "${query}"`,
  }
}

export function SearchPage() {
  const wish = useWish()
  usePageTitle(wish?.title ?? 'Search')
  const navigate = useNavigate()
  const { fromPath } = (useLocation().state ?? {}) as { fromPath?: string }
  return (
    <main id="main" className="mx-auto grid max-w-[110rem] gap-6 px-4 py-6 sm:px-6 sm:py-8">
      <div className="flex flex-wrap items-center gap-4">
        <Button icon="back" onClick={() => navigate(fromPath ?? paths.root())}>
          Back
        </Button>
        <h1 className="min-w-0 text-2xl font-semibold break-words">{wish?.title ?? 'Search'}</h1>
      </div>
      {wish ? (
        <Results wish={wish} />
      ) : (
        <p className="text-muted">Type in the box above what you look for.</p>
      )}
    </main>
  )
}

function Results({ wish }: { wish: Wish }) {
  const { data, error, mutate } = useSearch(wish.wish, RESULTS_PAGE_LIMIT)
  if (error && !data)
    return <ErrorNotice text="Failed to load search results" onRetry={() => void mutate()} />
  if (!data) return <GridSkeleton />
  if (data.videos.length === 0) return <Nothing text={wish.nothing} />
  return (
    <>
      <p role="status" className="text-muted">
        {data.videos.length} video(s) found
      </p>
      <ul className="grid grid-cols-1 gap-x-4 gap-y-8 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {data.videos.map((video) => (
          <li key={video.id}>
            <Result video={video} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Result({ video }: { video: Video }) {
  return (
    <VideoCard video={video} heading="h2">
      {video.genre && (
        <span className="mt-2 block w-fit rounded-sm bg-raised px-2 py-0.5 text-xs font-medium">
          {video.genre}
        </span>
      )}
      {video.description && (
        <p className="mt-2 line-clamp-2 text-sm break-words text-muted">{video.description}</p>
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

function Nothing({ text }: { text: string }) {
  const focusSearch = () => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus()
  return (
    <div role="status" className="grid justify-items-center gap-3 py-16 text-center">
      <p className="text-xl font-semibold">Sorry video not found</p>
      <p className="max-w-lg break-words text-muted">{text}</p>
      <Button tone="primary" className="mt-2" onClick={focusSearch}>
        Search Again
      </Button>
    </div>
  )
}

function GridSkeleton() {
  return (
    <div
      role="status"
      aria-label="Searching"
      className="grid grid-cols-1 gap-x-4 gap-y-8 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4"
    >
      {Array.from({ length: 8 }, (_, index) => (
        <div key={String(index)} className="grid gap-2">
          <Skeleton className="aspect-video" />
          <Skeleton className="h-5 w-3/4" />
        </div>
      ))}
    </div>
  )
}
