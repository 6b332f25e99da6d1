import { type PointerEvent, useRef } from 'react'
import { randomId } from '../../../lib/random-id.ts'
import type { PageElement } from './layout.ts'

/** How far (px of the page) an element has been pulled from where it was when the pointer came down. */
export type Pull = { start: PageElement; x: number; y: number; gesture: string }

/** Pulls an element with a mouse, a pen or a finger; `scale` is how large the page is drawn. */
export function usePull(element: PageElement, scale: number, onPull: (pull: Pull) => void) {
  const held = useRef<{ start: PageElement; x: number; y: number; gesture: string } | null>(null)
  const letGo = () => {
    held.current = null
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      held.current = { start: element, x: event.clientX, y: event.clientY, gesture: randomId() }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = held.current
      if (!from) return
      const x = Math.round((event.clientX - from.x) / scale)
      const y = Math.round((event.clientY - from.y) / scale)
      onPull({ start: from.start, x, y, gesture: from.gesture })
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
  }
}
