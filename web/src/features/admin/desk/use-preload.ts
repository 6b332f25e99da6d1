import { useEffect } from 'react'
import { preloadParts } from './lazy-part.ts'

/** Time after which browsers without `requestIdleCallback` count as idle, in ms. */
const IDLE_AFTER_MS = 1_500

/** Fetches the code of the admin pages once the browser is idle, and what failed again when it is back online. */
export function usePreload(): void {
  useEffect(() => {
    const start = () => void preloadParts()
    const cancel = whenIdle(start)
    window.addEventListener('online', start)
    return () => {
      cancel()
      window.removeEventListener('online', start)
    }
  }, [])
}

function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(work)
    return () => window.cancelIdleCallback(handle)
  }
  const timer = setTimeout(work, IDLE_AFTER_MS)
  return () => clearTimeout(timer)
}
