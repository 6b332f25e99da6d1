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
  /** The drag after the last event: a drop may come before it is rendered. */
  const latest = useRef<Drag | null>(null)
  const isDragging = drag !== null
  const show = (next: Drag | null) => {
    latest.current = next
    setDrag(next)
  }

  useEffect(() => {
    if (!isDragging) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      latest.current = null
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
      show({ from: index, to: index, startY: y, y })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const active = latest.current
      if (!active) return
      if (event.clientY < EDGE_PX) window.scrollBy({ top: -STEP_PX, behavior: 'instant' })
      else if (event.clientY > window.innerHeight - EDGE_PX)
        window.scrollBy({ top: STEP_PX, behavior: 'instant' })
      show({
        ...active,
        y: event.clientY + window.scrollY,
        to: placeAt(list.current, active.from, event.clientY),
      })
    },
    onPointerUp: () => {
      const dropped = latest.current
      if (!dropped) return
      show(null)
      if (dropped.to !== dropped.from) onDrop(dropped.from, dropped.to)
    },
    onPointerCancel: () => show(null),
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
