import { type PointerEvent, type SyntheticEvent, useRef } from 'react'

/** A finger that goes this far sideways, and more sideways than up or down, has swiped. */
const DISTANCE_PX = 40

/** Handlers for an element that is swiped sideways; it wants `touch-action: pan-y`. A swipe presses nothing. */
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
