import { useEffect, useReducer, useState } from 'react'
import { ADVANCE_MS, type CarouselChange, FIRST_SLIDE, nextSlide } from './carousel-state.ts'

export interface Carousel {
  index: number
  isRunning: boolean
  /** Whether the viewer paused it or prefers reduced motion. */
  isStopped: boolean
  step: (by: 1 | -1) => void
  choose: (index: number) => void
  /** Pauses it, or plays it even while pointed at or focused. */
  toggle: () => void
}

/**
 * Advances through `count` slides. Pauses while the page is covered or hidden. Otherwise the viewer's choice decides
 * (WCAG 2.2.2); without one it pauses while pointed at or focused, and with reduced motion.
 */
export function useCarousel(count: number, rests: { isHeld: boolean; isCovered: boolean }): Carousel {
  const [state, change] = useReducer(
    (known: typeof FIRST_SLIDE, next: CarouselChange) => nextSlide(known, count, next),
    FIRST_SLIDE,
  )
  const [word, setWord] = useState<'none' | 'run' | 'stop'>(wantsLessMotion() ? 'stop' : 'none')
  const isRunning = count > 1 && !rests.isCovered && (word === 'run' || (word === 'none' && !rests.isHeld))

  // A new turn restarts the timer.
  const { turn } = state
  useEffect(() => {
    if (!isRunning || turn < 0) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') change({ type: 'advance' })
    }, ADVANCE_MS)
    return () => clearInterval(timer)
  }, [isRunning, turn])

  return {
    // The list may become shorter while it is shown.
    index: count > 0 ? state.index % count : 0,
    isRunning,
    isStopped: word === 'stop',
    step: (by) => change({ type: 'step', by, atMs: performance.now() }),
    choose: (index) => change({ type: 'choose', index, atMs: performance.now() }),
    toggle: () => setWord(word === 'stop' ? 'run' : 'stop'),
  }
}

const wantsLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
