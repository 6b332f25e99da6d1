import { startTransition, useEffect, useState } from 'react'

/**
 * Counts up to `count`, one step with each drawing: what is long is put into the page part by part, and a slow phone
 * can answer a finger in between.
 */
export function useGradually(count: number): number {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (shown < count) startTransition(() => setShown(shown + 1))
  }, [shown, count])
  return Math.min(shown, count)
}
