import { useSyncExternalStore } from 'react'

/** Whether the screen fits a media query, such as `(min-width: 48rem)`; kept in step with it. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
