import { useEffect, useReducer, useState } from 'react'
import { ADVANCE_MS, type CarouselChange, FIRST_SLIDE, nextSlide } from './carousel-state.ts'

export type Carousel = {
  index: number
  isRunning: boolean
  /** It does not run by the viewer's word or wish for less motion, rather than for a while. */
  isStopped: boolean
  step: (by: 1 | -1) => void
  choose: (index: number) => void
  /** Stops it for good, or sets it going even under the pointer and the focus. */
  toggle: () => void
}

/**
 * Shows one of `count` after the other. It rests while something covers the page and while the page is hidden.
 * Otherwise the viewer's word decides (WCAG 2.2.2); without one it rests while it is held (pointed at or focused),
 * and does not begin where less motion is wished for.
 */
export function useCarousel(count: number, rests: { isHeld: boolean; isCovered: boolean }): Carousel {
  const [state, change] = useReducer(
    (known: typeof FIRST_SLIDE, next: CarouselChange) => nextSlide(known, count, next),
    FIRST_SLIDE,
  )
  const [word, setWord] = useState<'none' | 'run' | 'stop'>(wantsLessMotion() ? 'stop' : 'none')
  const isRunning = count > 1 && !rests.isCovered && (word === 'run' || (word === 'none' && !rests.isHeld))

  // A new turn begins its time anew.
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
