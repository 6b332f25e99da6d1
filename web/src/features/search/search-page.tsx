import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { ownPage } from '../../lib/session/next-page.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { RESULTS_PAGE_LIMIT, useSearch, useVideo } from './api.ts'
import { type RequestedSearch, requestedSearch, type SearchState } from './requested-search.ts'
import { ResultsGrid, ResultsSkeleton } from './results-grid.tsx'

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
