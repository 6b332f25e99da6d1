import { type RefObject, useEffect, useRef, useState } from 'react'

/** Tolerance for fractional scroll positions on scaled screens. */
const TOLERANCE_PX = 2

/** Whether a horizontal scroller is at its start or its end. Follows scrolling, resizing and the number of items. */
export function useScrollEdges<T extends HTMLElement>(
  count: number,
): {
  ref: RefObject<T | null>
  isAtStart: boolean
  isAtEnd: boolean
} {
  const ref = useRef<T>(null)
  const [edges, setEdges] = useState({ isAtStart: true, isAtEnd: false })
  useEffect(() => {
    const element = ref.current
    if (!element || count === 0) return
    const measure = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      const isAtStart = scrollLeft <= TOLERANCE_PX
      const isAtEnd = scrollLeft + clientWidth >= scrollWidth - TOLERANCE_PX
      setEdges((known) =>
        known.isAtStart === isAtStart && known.isAtEnd === isAtEnd ? known : { isAtStart, isAtEnd },
      )
    }
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [count])
  return { ref, ...edges }
}
