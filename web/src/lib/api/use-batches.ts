import { useEffect, useEffectEvent, useRef } from 'react'

/** Collects items and handles those that arrive within `delayMs` together. */
export function useBatches<T>(handle: (items: readonly T[]) => void, delayMs: number): (item: T) => void {
  const waiting = useRef<T[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useEffectEvent(() => {
    const items = waiting.current
    waiting.current = []
    timer.current = undefined
    handle(items)
  })
  useEffect(() => {
    // Items that arrived while the component was hidden or before its first effect.
    if (waiting.current.length > 0) flush()
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
  return (item) => {
    waiting.current.push(item)
    timer.current ??= setTimeout(flush, delayMs)
  }
}
