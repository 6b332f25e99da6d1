import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useFailureToast } from '../../lib/api/use-failure-toast.ts'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../ui/video-grid.tsx'
import { useVideoList } from './api.ts'
import {
  CATEGORY_CHOICES,
  type ListQuery,
  listParameters,
  MAX_TEXT,
  readListQuery,
  SORTS,
} from './list-query.ts'

const NUMBER = new Intl.NumberFormat(dateLocale)
/** Time without a response until a message is shown, in ms. */
const SILENCE_MS = 6000

/** All public videos, for everybody: searched, filtered and sorted by the server (docs/product/admin.md §2). */
export function VideosView({ onOpen }: { onOpen: (video: Video) => void }) {
  const query = useListQuery()
  const list = useVideoList(query.params)
  const count =
    list.total === undefined ? '' : ` (${NUMBER.format(list.total)}${list.isTotalCapped ? '+' : ''})`
  return (
    <main id="main" className="mx-auto grid max-w-[110rem] gap-6 px-4 py-6 sm:px-6 sm:py-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link to={paths.root()} className={buttonClass('quiet')}>
          <Icon name="back" />
          Back to Home
        </Link>
        {/* On a line of its own where the count would not fit: it comes later. */}
        <h1 className="text-2xl leading-8 font-semibold tabular-nums max-sm:w-full">All Videos{count}</h1>
      </div>
      <Filters query={query} />
      <List
        list={list}
        onOpen={onOpen}
        onClear={query.clear}
        isFiltered={Boolean(query.params.q || query.params.category)}
      />
    </main>
  )
}

function Filters({ query }: { query: ReturnType<typeof useListQuery> }) {
  const { params, text, setText, choose } = query
  return (
    <search aria-label="Search and filter" className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_auto_auto]">
      <div className="relative max-md:col-span-2">
        <Icon
          name="search"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-muted"
        />
        <input
          type="search"
          aria-label="Search videos, artists, genres"
          placeholder="Search videos, artists, genres..."
          value={text}
          maxLength={MAX_TEXT}
          onChange={(event) => setText(event.target.value)}
          className="field pl-10.5"
        />
      </div>
      <SelectField
        label="Sort by"
        isLabelHidden
        choices={SORTS}
        value={params.sort}
        onChange={(sort) => choose({ sort })}
      />
      <SelectField
        label="Category"
        isLabelHidden
        choices={CATEGORY_CHOICES}
        value={CATEGORY_CHOICES.find(({ value }) => value === params.category)?.value ?? ''}
        onChange={(category) => choose({ category: category || undefined })}
      />
    </search>
  )
}

function List(props: {
  list: ReturnType<typeof useVideoList>
  isFiltered: boolean
  onOpen: (video: Video) => void
  onClear: () => void
}) {
  const { list } = props
  useFailureToast('Failed to load videos', list.items ? undefined : list.error)
  if (!list.items && list.error) return <ErrorNotice text="Failed to load videos" onRetry={list.reload} />
  if (!list.items) return <Waiting />
  if (list.items.length === 0 && !list.hasMore) {
    return (
      <EmptyNotice title="No videos found matching your criteria.">
        {props.isFiltered && <Button onClick={props.onClear}>Clear search and filters</Button>}
      </EmptyNotice>
    )
  }
  return (
    <>
      <VideoGrid
        videos={list.items}
        loadingCount={list.hasMore && list.isLoadingMore ? 6 : 0}
        onOpen={props.onOpen}
      />
      <MoreVideos list={list} />
    </>
  )
}

/** Skeletons, with a message after a while without a response. */
function Waiting() {
  const isLate = useLate(SILENCE_MS)
  return (
    <>
      {isLate && (
        <p role="status" className="text-center text-muted">
          The server is not responding. Retrying...
        </p>
      )}
      <VideoGridSkeleton />
    </>
  )
}

/** Distance from the visible part at which the next page is requested. */
const AHEAD = '800px'

/** Loads the next page when the end of the list is near the visible part, or when the button is pressed. */
function MoreVideos({ list }: { list: ReturnType<typeof useVideoList> }) {
  const place = useRef<HTMLDivElement>(null)
  const { hasMore, isLoadingMore, error } = list
  const loadMore = useEffectEvent(list.loadMore)
  const isWaiting = hasMore && !isLoadingMore && !error

  // Observed again for each page: after a short page the sentinel does not move and would not fire.
  useEffect(() => {
    if (!place.current || !isWaiting) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) loadMore()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isWaiting])

  if (error) return <ErrorNotice text="Failed to load more videos" onRetry={list.reload} />
  return (
    <div ref={place} className="grid justify-items-center">
      {hasMore && (
        <Button onClick={list.loadMore} aria-disabled={isLoadingMore}>
          {isLoadingMore ? 'Loading...' : 'Load more'}
        </Button>
      )}
    </div>
  )
}

/** Delay after typing before the search is requested, in ms. */
const DEBOUNCE_MS = 300

/** The query of the video list, stored in the URL so that it survives a reload and can be shared. `text` is the search box. */
function useListQuery(): {
  params: ListQuery
  text: string
  setText: (text: string) => void
  choose: (change: Partial<ListQuery>) => void
  clear: () => void
} {
  const [parameters, setParameters] = useSearchParams()
  const params = readListQuery(parameters)
  const [text, setText] = useState(params.q ?? '')
  const choose = (change: Partial<ListQuery>) =>
    setParameters(listParameters({ ...params, ...change }), { replace: true, preventScrollReset: true })

  const commit = useEffectEvent((q: string) => {
    if (q !== (params.q ?? '')) choose({ q })
  })
  useEffect(() => {
    const timer = setTimeout(() => commit(text.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return {
    params,
    text,
    setText,
    choose,
    clear: () => {
      setText('')
      setParameters({}, { replace: true, preventScrollReset: true })
    },
  }
}

/** True once the component has been mounted for `afterMs`. */
function useLate(afterMs: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return isLate
}
