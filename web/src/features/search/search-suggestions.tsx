import { memo, type ReactNode } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { useFailureToast } from '../../lib/failures.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { SUGGESTIONS_DEBOUNCE_MS, SUGGESTIONS_LIMIT, useSearch } from './api.ts'

/** The chosen suggestion: a video, an artist, or all results of the text. */
export type Suggestion =
  | { kind: 'video'; id: string; title: string }
  | { kind: 'artist'; name: string }
  | { kind: 'all'; text: string }

/**
 * Suggestions for the text in the search box: the list of a combobox (WAI-ARIA authoring practices). The box keeps
 * the focus and passes the active option as `activeId`. Not rendered again while a letter is typed: its props then stay.
 */
export const SearchSuggestions = memo(function SearchSuggestions(props: {
  listId: string
  text: string
  activeId: string | undefined
  onChoose: (suggestion: Suggestion) => void
}) {
  const { listId, onChoose } = props
  const wanted = props.text.trim()
  // The first letter mounts this component; its search is delayed as well.
  const text = useDebounced(wanted, SUGGESTIONS_DEBOUNCE_MS, '')
  const { data, error, isLoading } = useSearch(text === '' ? null : { q: text }, SUGGESTIONS_LIMIT)
  useFailureToast(error, {
    title: 'Search Error',
    text: error instanceof ApiError ? 'Failed to search videos' : 'An error occurred while searching',
  })
  const isSettled = text === wanted && !isLoading
  const isEmpty = data !== undefined && data.videos.length === 0 && data.artists.length === 0

  if (error && isSettled) return <Line>Failed to search videos</Line>
  if (!data || (isEmpty && !isSettled)) return <Pending />
  if (isEmpty) return <Line>No results found for "{text}"</Line>
  const option = { activeId: props.activeId }
  return (
    <div id={listId} role="listbox" aria-label="Suggestions" aria-busy={!isSettled} className="py-2">
      {data.artists.length > 0 && (
        <Group title="Artists">
          {data.artists.map(({ name, videoCount }) => (
            <Option
              key={name}
              // By the name: the active option stays the same one when the list of a longer text replaces this one.
              id={`${listId}-artist-${name.replace(/\s/g, '_')}`}
              {...option}
              onPress={() => onChoose({ kind: 'artist', name })}
            >
              <span className="grid size-9 shrink-0 place-items-center rounded-full bg-line">
                <Icon name="user" className="size-4.5" />
              </span>
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <span className="shrink-0 text-sm text-muted">
                {videoCount.toLocaleString(dateLocale)} {videoCount === 1 ? 'video' : 'videos'}
              </span>
            </Option>
          ))}
        </Group>
      )}
      {data.videos.length > 0 && (
        <Group title="Videos">
          {data.videos.map(({ id, title, artistName, duration, thumbnailUrl }) => (
            <Option
              key={id}
              id={`${listId}-video-${id}`}
              {...option}
              onPress={() => onChoose({ kind: 'video', id, title })}
            >
              <Thumbnail url={thumbnailUrl} className="w-18 shrink-0 rounded-sm" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{title}</span>
                <span className="block truncate text-sm text-muted">{artistName}</span>
              </span>
              <span className="shrink-0 text-sm text-muted tabular-nums">{duration}</span>
            </Option>
          ))}
        </Group>
      )}
      <Option id={`${listId}-all`} {...option} onPress={() => onChoose({ kind: 'all', text: wanted })}>
        <Icon name="search" className="size-5 shrink-0 text-muted" />
        <span className="min-w-0 truncate text-sm">All results for "{wanted}"</span>
      </Option>
    </div>
  )
})

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset aria-label={title} className="min-w-0 mb-1 border-b border-line pb-1">
      <p aria-hidden="true" className="px-4 pt-1.5 pb-1 text-xs font-semibold tracking-wide text-muted">
        {title}
      </p>
      {children}
    </fieldset>
  )
}

function Option(props: {
  id: string
  activeId: string | undefined
  onPress: () => void
  children: ReactNode
}) {
  const isActive = props.id === props.activeId
  return (
    <button
      type="button"
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // The box keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onPress}
      className="flex min-h-11 w-full text-left items-center gap-3 border-l-3 border-transparent px-4 py-1.5 hover:bg-line/60 aria-selected:border-focus aria-selected:bg-line"
    >
      {props.children}
    </button>
  )
}

const Line = ({ children }: { children: ReactNode }) => (
  <p role="status" className="px-4 py-5 text-sm wrap-anywhere text-muted">
    {children}
  </p>
)

function Pending() {
  return (
    <div role="status" aria-busy="true" aria-label="Searching" className="grid gap-3 px-4 py-4">
      {Array.from({ length: 3 }, (_, index) => (
        <div key={String(index)} className="flex items-center gap-3">
          <Skeleton className="h-10 w-18" />
          <Skeleton className="h-5 flex-1" />
        </div>
      ))}
    </div>
  )
}
