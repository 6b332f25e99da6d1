import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { paths } from '../lib/paths.ts'
import { pagePathOf } from './page-start.ts'

const STORAGE_KEY = 'looptide.scroll'
/** Time to wait for the page to reach its former height, in ms. */
const TIMEOUT_MS = 15_000
/** Events of a viewer who scrolls or interacts. */
const INPUT_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * Scrolls each new page to the top. After a reload or a step in the history, restores the scroll position as soon as
 * the page is high enough, unless the viewer interacts before.
 */
export function useScrollMemory(): void {
  const { key: historyKey, hash, ...location } = useLocation()
  // The first entry of every document has the key `default`, so the URL is part of the key.
  const key = `${historyKey} ${location.pathname}${location.search}`
  const page = pagePathOf(location.pathname)
  const type = useNavigationType()
  const positions = useRef<Map<string, number>>(undefined)
  positions.current ??= storedPositions()
  const before = useRef<string>(undefined)

  useLayoutEffect(() => {
    const known = positions.current
    history.scrollRestoration = 'manual'
    const onScroll = () => known?.set(key, window.scrollY)
    const onLeave = () => {
      // The event of the last scroll may not have come yet. At the top, the former position may not be restored yet.
      if (window.scrollY > 0) onScroll()
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...(known ?? [])].slice(-100)))
    }
    const isNewPage = before.current !== page || page === paths.search()
    const isFirst = before.current === undefined
    if (isFirst && isNewVisit()) known?.delete(key)
    before.current = page
    // The browser has restored a position from before this code was loaded.
    const isUnknown = isFirst && known?.has(key) === false
    const stop = type === 'POP' && isNewPage && !isUnknown ? scrollBackTo(known?.get(key) ?? 0) : undefined
    if (type !== 'POP' && isNewPage) scrollToStart(hash)
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('pagehide', onLeave)
    return () => {
      stop?.()
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('pagehide', onLeave)
    }
  }, [key, page, hash, type])
}

/** Whether the document was opened by a link or a typed URL, not by a reload or the history. */
function isNewVisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type === 'navigate'
}

function scrollToStart(hash: string): void {
  const target = hash === '' ? null : document.getElementById(hash.slice(1))
  if (target) target.scrollIntoView()
  else window.scrollTo(0, 0)
}

/** Scrolls as soon as the page is high enough. Returns a function that cancels this. */
function scrollBackTo(y: number): () => void {
  window.scrollTo(0, y)
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, y)
    if (Math.abs(window.scrollY - y) < 2) stop()
  })
  const timer = setTimeout(() => stop(), TIMEOUT_MS)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const type of INPUT_EVENTS) window.removeEventListener(type, stop)
  }
  if (Math.abs(window.scrollY - y) < 2) {
    clearTimeout(timer)
    return () => undefined
  }
  observer.observe(document.body)
  for (const type of INPUT_EVENTS) window.addEventListener(type, stop, { passive: true })
  return stop
}

function storedPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'))
  } catch {
    return new Map()
  }
}
