import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { isUsingKeys } from './keep-focus.ts'
import { topLayer } from './open-layer.ts'
import { pageOf } from './page-of.ts'
import { focusQuietly, pageStart, shownPage } from './page-start.ts'

/** How long a page may take to draw what had the focus when one left it. */
const PATIENCE_MS = 4_000

/** Something that can be found again on a page that was drawn anew: the how-manieth of its name. */
type Landmark = { tag: string; name: string; index: number }

const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ?? element.getAttribute('href') ?? element.textContent.slice(0, 80)

const namesakesOf = ({ tag, name }: Omit<Landmark, 'index'>): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`main#main ${tag}`)].filter(
    (element) => nameOf(element) === name,
  )

function landmarkOf(element: HTMLElement): Landmark {
  const named = { tag: element.localName, name: nameOf(element) }
  return { ...named, index: namesakesOf(named).indexOf(element) }
}

/**
 * Puts the focus onto each page that one comes to: where it was if one comes back to it by keys, else to its start.
 * A page that focuses something by itself, or a viewer who is quicker, is left alone.
 */
export function usePageFocus(): void {
  const location = useLocation()
  const { key } = location
  const page = pageOf(location.pathname)
  const isReturn = useNavigationType() === 'POP'
  const landmarks = useRef(new Map<string, Landmark>())
  const before = useRef(page)

  useEffect(() => {
    const known = landmarks.current
    const left = known.get(key)
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && shownPage()?.contains(target)) known.set(key, landmarkOf(target))
    }
    document.addEventListener('focusin', onFocus)
    const isNewPage = before.current !== page
    before.current = page
    const isNowhere = document.activeElement === document.body
    const arrival =
      isNewPage || (isNowhere && known.size > 0)
        ? arrive(isReturn && isUsingKeys() ? left : undefined)
        : undefined
    return () => {
      document.removeEventListener('focusin', onFocus)
      arrival?.()
    }
  }, [key, page, isReturn])
}

/** Waits until the page is there, then focuses; answers how to stop waiting. */
function arrive(landmark: Landmark | undefined): () => void {
  let start: HTMLElement | null = null
  const look = (): boolean => {
    const focused = document.activeElement
    if (topLayer() || (shownPage()?.contains(focused) && focused !== start)) return true
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
    if (look()) stop()
  })
  const timer = setTimeout(() => stop(), PATIENCE_MS)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
  }
  if (look()) stop()
  else observer.observe(document.body, { subtree: true, childList: true })
  return stop
}
