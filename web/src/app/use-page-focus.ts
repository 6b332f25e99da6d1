import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { isUsingKeys } from './keep-focus.ts'
import { topLayer } from './open-layer.ts'
import { focusQuietly, pagePathOf, pageStart, shownPage } from './page-start.ts'

/** Time to wait for the previously focused element to be rendered, in ms. */
const TIMEOUT_MS = 15_000

/** Identifies an element across renders of a page: its tag, its name, and its index among those of the same name. */
interface Landmark {
  tag: string
  name: string
  index: number
}

const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ?? element.getAttribute('href') ?? element.textContent.slice(0, 80)

const namesakesOf = ({ tag, name }: Omit<Landmark, 'index'>): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`#main ${tag}`)].filter((element) => nameOf(element) === name)

function landmarkOf(element: HTMLElement): Landmark {
  const named = { tag: element.localName, name: nameOf(element) }
  return { ...named, index: namesakesOf(named).indexOf(element) }
}

/**
 * Moves the focus on each navigation: to the element focused before when returning by keys, else to the start of the
 * page. Does nothing if the page or the viewer has focused something already.
 */
export function usePageFocus(): void {
  const location = useLocation()
  const { key } = location
  const page = pagePathOf(location.pathname)
  const isReturn = useNavigationType() === 'POP'
  const landmarks = useRef(new Map<string, Landmark>())
  const before = useRef(page)

  useEffect(() => {
    const known = landmarks.current
    const lastFocused = known.get(key)
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && shownPage()?.contains(target)) known.set(key, landmarkOf(target))
    }
    document.addEventListener('focusin', onFocus)
    const isNewPage = before.current !== page
    before.current = page
    const isFocusLost = document.activeElement === document.body
    const stopWaiting =
      isNewPage || (isFocusLost && known.size > 0)
        ? focusPage(isReturn && isUsingKeys() ? lastFocused : undefined)
        : undefined
    return () => {
      document.removeEventListener('focusin', onFocus)
      stopWaiting?.()
    }
  }, [key, page, isReturn])
}

/** The header's search box keeps the focus when someone types before the new page is rendered. */
const isTypedInto = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** Waits until the page is rendered, then focuses. Returns a function that stops waiting. */
function focusPage(landmark: Landmark | undefined): () => void {
  let start: HTMLElement | null = null
  const tryFocus = (): boolean => {
    const focused = document.activeElement
    if (topLayer() || isTypedInto(focused)) return true
    if (shownPage()?.contains(focused) && focused !== start) return true
    const found = landmark && namesakesOf(landmark)[landmark.index]
    if (found) {
      focusQuietly(found)
      return true
    }
    if (!start) {
      start = pageStart()
      if (start) focusQuietly(start)
    }
    return start !== null && landmark === undefined
  }
  const observer = new MutationObserver(() => {
    if (tryFocus()) stop()
  })
  const timer = setTimeout(() => stop(), TIMEOUT_MS)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
  }
  if (tryFocus()) stop()
  else observer.observe(document.body, { subtree: true, childList: true })
  return stop
}
