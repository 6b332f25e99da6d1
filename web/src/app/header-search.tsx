import { lazy, type SubmitEvent, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Suggestion } from '../features/search/search-suggestions.tsx'
import { PartBoundary } from '../lib/browser/part-boundary.tsx'
import { usePreload } from '../lib/browser/use-preload.ts'
import { paths } from '../lib/paths.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { useSuggestionList } from './use-suggestion-list.ts'

const loadSuggestions = async () => ({
  default: (await import('../features/search/search-suggestions.tsx')).SearchSuggestions,
})
const SearchSuggestions = lazy(loadSuggestions)

/**
 * The header's search box, a combobox: shows suggestions while it has text; Enter opens the results; blank text is
 * ignored. On phones it is a button that opens the box over the whole header.
 */
export function HeaderSearch() {
  const [isWide, setWide] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setWide(false)
    opener.current?.focus()
  }
  return (
    <div className="ml-auto flex min-w-0 justify-end sm:w-full sm:max-w-md">
      <IconButton
        ref={opener}
        icon="search"
        label="Open search"
        className="sm:hidden"
        aria-expanded={isWide}
        onClick={() => setWide(true)}
      />
      <div
        className={classNames(
          isWide
            ? 'absolute inset-x-0 top-0 z-10 flex h-16 animate-fade items-center gap-1 bg-deep px-2'
            : 'hidden',
          'sm:static sm:block sm:h-auto sm:w-full sm:animate-none sm:bg-transparent sm:px-0',
        )}
      >
        <IconButton icon="back" label="Close search" className="sm:hidden" onClick={close} />
        <SearchBox isWide={isWide} onDone={() => setWide(false)} onCancel={close} />
      </div>
    </div>
  )
}

function SearchBox(props: { isWide: boolean; onDone: () => void; onCancel: () => void }) {
  const listId = useId()
  const frame = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const openResults = useOpenResults()
  const list = useSuggestionList(frame, { text, onCancel: props.isWide ? props.onCancel : undefined })
  const { isShown, activeId } = list
  usePreload(loadSuggestions)
  useEffect(() => {
    if (props.isWide) input.current?.focus()
  }, [props.isWide])

  const choose = (suggestion: Suggestion) => {
    list.close()
    setText(suggestion.kind === 'all' ? suggestion.text : '')
    props.onDone()
    input.current?.blur()
    openResults(suggestion)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') choose({ kind: 'all', text: text.trim() })
  }

  return (
    <search
      ref={frame}
      className="w-full min-w-0 sm:relative"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) list.close()
      }}
    >
      <form onSubmit={submit} className="relative">
        <Icon
          name="search"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-muted"
        />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-activedescendant={isShown ? activeId : undefined}
          placeholder="Search videos and artists"
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          maxLength={200}
          onChange={(event) => {
            setText(event.target.value)
            list.reopen()
          }}
          onKeyDown={list.onKeyDown}
          className="field rounded-full pl-10.5 text-sm"
        />
      </form>
      {isShown && (
        <div className="absolute inset-x-0 top-full z-40 max-h-[min(32rem,75dvh)] overflow-y-auto overscroll-contain border-y border-line bg-raised shadow-lift sm:mt-2 sm:animate-rise sm:rounded-md sm:border-x">
          <PartBoundary onFailure={list.close}>
            <Suspense fallback={<p aria-busy="true" className="h-14" />}>
              <SearchSuggestions listId={listId} text={text} activeId={activeId} onChoose={choose} />
            </Suspense>
          </PartBoundary>
        </div>
      )}
    </search>
  )
}

/** Navigates to the results; their Back button returns to the current page. */
function useOpenResults(): (suggestion: Suggestion) => void {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const isResults = pathname === paths.search()
  const fromPath = isResults ? (state as { fromPath?: string } | null)?.fromPath : pathname + search
  return (suggestion) => {
    if (suggestion.kind === 'artist') {
      const artistName = suggestion.name
      void navigate(paths.search({ artist: artistName }), {
        state: { query: artistName, searchType: 'artist', artistName, fromPath },
      })
      return
    }
    const isVideo = suggestion.kind === 'video'
    const query = isVideo ? suggestion.title : suggestion.text
    void navigate(paths.search({ q: query, ...(isVideo && { video: suggestion.id }) }), {
      state: { query, searchType: isVideo ? 'specific' : 'general', fromPath },
    })
  }
}
