import { type PointerEvent, useRef } from 'react'
import { randomId } from '../../../lib/browser/random-id.ts'
import type { PageElement } from './layout.ts'

/** Distance of a drag in page px, and the element as it was when the drag started. */
export interface ElementDrag {
  start: PageElement
  x: number
  y: number
  gesture: string
}

/** Event handlers that drag an element by mouse, pen or touch. `scale` is the scale at which the page is drawn. */
export function useElementDrag(element: PageElement, scale: number, onDrag: (drag: ElementDrag) => void) {
  const active = useRef<{ start: PageElement; x: number; y: number; gesture: string } | null>(null)
  const end = () => {
    active.current = null
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      active.current = { start: element, x: event.clientX, y: event.clientY, gesture: randomId() }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = active.current
      if (!from) return
      const x = Math.round((event.clientX - from.x) / scale)
      const y = Math.round((event.clientY - from.y) / scale)
      onDrag({ start: from.start, x, y, gesture: from.gesture })
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
