import { startTransition, useEffect, useState } from 'react'

/** Counts up to `count`, one step per render, so that a long page is rendered in parts and a slow phone stays responsive. */
export function useGradually(count: number): number {
  const [shown, setShown] = useState(0)
  useEffect(() => {
    if (shown < count) startTransition(() => setShown(shown + 1))
  }, [shown, count])
  return Math.min(shown, count)
}
