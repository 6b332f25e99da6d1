import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** Distance from the window's edge at which the page scrolls, and the scroll step per pointer move, in px. */
const EDGE_PX = 80
const STEP_PX = 14

interface Drag {
  from: number
  to: number
  startY: number
  y: number
}

/**
 * Reorders the rows of a list by mouse, pen or touch. The other rows do not move during a drag: `to` is the index at
 * which the dragged row would be dropped. Escape cancels the drag.
 */
export function useDragOrder(onDrop: (from: number, to: number) => void) {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragging = drag !== null

  useEffect(() => {
    if (!isDragging) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      setDrag(null)
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [isDragging])

  /** Event handlers for the drag handle of a row. */
  const handle = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const y = event.clientY + window.scrollY
      setDrag({ from: index, to: index, startY: y, y })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag) return
      if (event.clientY < EDGE_PX) window.scrollBy({ top: -STEP_PX, behavior: 'instant' })
      else if (event.clientY > window.innerHeight - EDGE_PX)
        window.scrollBy({ top: STEP_PX, behavior: 'instant' })
      setDrag({
        ...drag,
        y: event.clientY + window.scrollY,
        to: placeAt(list.current, drag.from, event.clientY),
      })
    },
    onPointerUp: () => {
      if (!drag) return
      setDrag(null)
      if (drag.to !== drag.from) onDrop(drag.from, drag.to)
    },
    onPointerCancel: () => setDrag(null),
  })
  return { list, drag, handle }
}

/** Number of other rows above this window position: the index at which the row would be dropped. */
function placeAt(list: HTMLElement | null, from: number, clientY: number): number {
  const others = [...(list?.children ?? [])].filter((_, index) => index !== from)
  return others.filter((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < clientY
  }).length
}
