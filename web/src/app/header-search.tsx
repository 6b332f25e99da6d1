import {
  type KeyboardEvent,
  type SubmitEvent,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Suggestion } from '../features/search/search-suggestions.tsx'
import { part } from '../lib/browser/part.tsx'
import { PartBoundary } from '../lib/browser/part-boundary.tsx'
import { usePreload } from '../lib/browser/use-preload.ts'
import { paths } from '../lib/paths.ts'
import { useBackLayer } from '../ui/back-layers.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'

const SearchSuggestions = part(
  async () => (await import('../features/search/search-suggestions.tsx')).SearchSuggestions,
)

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
  useBackLayer(isWide, close)
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
  // A key shows its letter first: the list is rendered afterwards, and again only for the latest text.
  const listedText = useDeferredValue(text)
  const openResults = useOpenResults()
  const list = useSuggestionList(frame, {
    text,
    listedText,
    onCancel: props.isWide ? props.onCancel : undefined,
  })
  const { isShown, activeId } = list
  usePreload(SearchSuggestions.preload)
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
  const latest = useRef(choose)
  useLayoutEffect(() => {
    latest.current = choose
  })
  const [onChoose] = useState(() => (suggestion: Suggestion) => latest.current(suggestion))
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
              <SearchSuggestions listId={listId} text={listedText} activeId={activeId} onChoose={onChoose} />
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

/**
 * The list of suggestions below the search box: whether it is shown, which option is active, and the keys (WAI-ARIA
 * combobox). `frame` contains box and list. The list is that of `listedText`, which follows `text`. `onCancel` handles
 * Escape while the list is closed.
 */
function useSuggestionList(
  frame: { current: HTMLElement | null },
  { text, listedText, onCancel }: { text: string; listedText: string; onCancel: (() => void) | undefined },
) {
  const [isOpen, setOpen] = useState(false)
  const [activeId, setActiveId] = useState<string>()
  const hasText = text.trim() !== ''
  const isShown = isOpen && hasText && listedText.trim() !== ''

  const close = () => {
    setOpen(false)
    setActiveId(undefined)
  }
  useOutsidePress(frame, isShown, close)

  /** Returns whether the key has been handled. */
  const onEscape = (): boolean => {
    if (!isShown && !onCancel) return false
    if (isShown) close()
    else onCancel?.()
    return true
  }
  const onEnter = (): boolean => {
    if (isShown && activeId) document.getElementById(activeId)?.click()
    return isShown && Boolean(activeId)
  }
  const onArrow = (step: 1 | -1): boolean => {
    if (!isShown) {
      // The list is about to be rendered.
      if (isOpen && hasText) return true
      if (isOpen || step === -1 || !hasText) return false
      setOpen(true)
      return true
    }
    const next = neighbour(frame.current, activeId, step)
    // Without options the arrow may move the focus out of the box, unless suggestions are loading.
    if (next === null) return step === 1 && Boolean(frame.current?.querySelector('[aria-busy="true"]'))
    setActiveId(next?.id)
    next?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const actions: Record<string, () => boolean> = {
    Escape: onEscape,
    Enter: onEnter,
    ArrowDown: () => onArrow(1),
    ArrowUp: () => onArrow(-1),
  }

  return {
    isShown,
    activeId,
    close,
    /** Shows the list, with no option active. */
    reopen: () => {
      setActiveId(undefined)
      setOpen(true)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (actions[event.key]?.()) event.preventDefault()
    },
  }
}

/** The next option; undefined for the box itself, above the first option. Null if there is none in that direction. */
function neighbour(frame: HTMLElement | null, activeId: string | undefined, step: 1 | -1) {
  const options = [...(frame?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]
  if (options.length === 0) return null
  const index = options.findIndex(({ id }) => id === activeId) + step
  if (index === -2) return null
  return index === -1 ? undefined : (options[index] ?? options.at(-1))
}

function useOutsidePress(frame: { current: HTMLElement | null }, isOn: boolean, onPress: () => void) {
  const press = useEffectEvent((event: PointerEvent) => {
    if (!frame.current?.contains(event.target as Node)) onPress()
  })
  useEffect(() => {
    if (!isOn) return
    const listener = (event: PointerEvent) => press(event)
    document.addEventListener('pointerdown', listener)
    return () => document.removeEventListener('pointerdown', listener)
  }, [isOn])
}
