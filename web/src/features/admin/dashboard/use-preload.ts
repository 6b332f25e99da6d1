import { useEffect } from 'react'
import { preloadParts } from '../shared/lazy-part.ts'

/** Delay that replaces `requestIdleCallback` in browsers without it, in ms. */
const IDLE_DELAY_MS = 1_500

/** Fetches the code of the admin pages when the browser is idle, and again when it comes back online. */
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
  const timer = setTimeout(work, IDLE_DELAY_MS)
  return () => clearTimeout(timer)
}
