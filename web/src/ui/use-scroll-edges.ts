import { type RefObject, useEffect, useRef, useState } from 'react'

/** Scroll positions are fractions of a pixel on scaled screens. */
const SLACK_PX = 2

/** Whether a sideways scroller stands at its start or its end; follows scrolling, changes of size, and of `count` items. */
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
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      const isAtStart = scrollLeft <= SLACK_PX
      const isAtEnd = scrollLeft + clientWidth >= scrollWidth - SLACK_PX
      setEdges((known) =>
        known.isAtStart === isAtStart && known.isAtEnd === isAtEnd ? known : { isAtStart, isAtEnd },
      )
    }
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [count])
  return { ref, ...edges }
}
