import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { pageOf } from './page-of.ts'
import { paths } from './paths.ts'

const STORED_AS = 'looptide.scroll'
/** How long a page may take to become as long as it was. */
const PATIENCE_MS = 4_000
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * A page starts at its top. After a reload or a step through the history it is scrolled to where it was left, as soon
 * as it is long enough, unless the viewer has scrolled in the meantime.
 */
export function useScrollMemory(): void {
  const { key: historyKey, hash, ...location } = useLocation()
  // The first entry of every document has the key `default`: only its address tells two of them apart.
  const key = `${historyKey} ${location.pathname}${location.search}`
  const page = pageOf(location.pathname)
  const type = useNavigationType()
  const positions = useRef<Map<string, number>>(undefined)
  positions.current ??= storedPositions()
  const before = useRef<string>(undefined)

  useLayoutEffect(() => {
    const known = positions.current
    history.scrollRestoration = 'manual'
    const onScroll = () => known?.set(key, window.scrollY)
    const onLeave = () => sessionStorage.setItem(STORED_AS, JSON.stringify([...(known ?? [])].slice(-100)))
    const isNewPage = before.current !== page || page === paths.search()
    if (before.current === undefined && isNewVisit()) known?.delete(key)
    before.current = page
    const stop = type === 'POP' && isNewPage ? scrollBackTo(known?.get(key) ?? 0) : undefined
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

/** Whether the document was opened by a link or a typed address rather than a reload or the history. */
function isNewVisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type === 'navigate'
}

function scrollToStart(hash: string): void {
  const target = hash === '' ? null : document.getElementById(hash.slice(1))
  if (target) target.scrollIntoView()
  else window.scrollTo(0, 0)
}

/** Tries until the page is long enough; answers how to give up. */
function scrollBackTo(y: number): () => void {
  window.scrollTo(0, y)
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, y)
    if (Math.abs(window.scrollY - y) < 2) stop()
  })
  const timer = setTimeout(() => stop(), PATIENCE_MS)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const sign of BY_HAND) window.removeEventListener(sign, stop)
  }
  if (Math.abs(window.scrollY - y) < 2) {
    clearTimeout(timer)
    return () => undefined
  }
  observer.observe(document.body)
  for (const sign of BY_HAND) window.addEventListener(sign, stop, { passive: true })
  return stop
}

function storedPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]'))
  } catch {
    return new Map()
  }
}
