import { type PointerEvent, type SyntheticEvent, useRef } from 'react'

/** Minimum horizontal distance of a swipe, which must exceed the vertical one. */
const DISTANCE_PX = 40

/** Handlers for horizontal swipes; the element needs `touch-action: pan-y`. A swipe triggers no click. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  const hasSwiped = useRef(false)
  return {
    onPointerDown: (event: PointerEvent) => {
      hasSwiped.current = false
      start.current = event.pointerType === 'touch' ? { x: event.clientX, y: event.clientY } : null
    },
    onPointerUp: (event: PointerEvent) => {
      if (!start.current) return
      const x = event.clientX - start.current.x
      const y = event.clientY - start.current.y
      start.current = null
      if (Math.abs(x) < DISTANCE_PX || Math.abs(x) <= Math.abs(y)) return
      hasSwiped.current = true
      onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      start.current = null
    },
    onClickCapture: (event: SyntheticEvent) => {
      if (!hasSwiped.current) return
      hasSwiped.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
