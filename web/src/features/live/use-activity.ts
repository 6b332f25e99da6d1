import {
  type MouseEvent,
  type PointerEvent as ReactPointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'

/** How long the controls stay after the last movement or key (interface: "The live page"). */
const FADE_AFTER_MS = 4_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'focusout'] as const

/** Whoever writes in the chat is not looking for the controls. */
const ELSEWHERE = '[data-beside-picture]'
const FOCUS_IN_CONTROLS = '[data-controls] :focus-visible'

export type Activity = {
  /** The controls are to be seen. */
  isActive: boolean
  /** The last sign came from a key: where the focus is should be seen. */
  isByKey: boolean
  /** A press on the picture itself: shows the controls, or hides them if they were there before the press. */
  onPicturePress: () => void
}

/**
 * For the page's outermost element: a finger does not press what it cannot see. Its first touch only brings the
 * controls back; a mouse has always moved before it presses.
 */
export function useTouchGuard() {
  const isBlind = useRef(false)
  return {
    onPointerDownCapture: ({ pointerType, target }: ReactPointerEvent) => {
      isBlind.current =
        pointerType === 'touch' &&
        target instanceof Element &&
        !target.checkVisibility({ checkOpacity: true })
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isBlind.current) return
      isBlind.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/**
 * Whether the viewer has just been using the page. Never ends while the focus is in the controls (`data-controls`),
 * or while `isHeld`: a dialog is open.
 */
export function useActivity(isHeld: boolean): Activity {
  const [isActive, setActive] = useState(true)
  const [isByKey, setByKey] = useState(false)
  const wasActive = useRef(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const rest = useEffectEvent(() => {
    if (!isHeld && !document.querySelector(FOCUS_IN_CONTROLS)) setActive(false)
  })
  const wake = useEffectEvent(() => {
    wasActive.current = isActive
    setActive(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => rest(), FADE_AFTER_MS)
  })

  useEffect(() => {
    let at = ''
    const onSign = (event: Event) => {
      if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return
      if (event.type === 'pointermove' && event instanceof PointerEvent) {
        // A page that changes under a resting mouse is told of a movement that was none.
        const now = `${event.clientX} ${event.clientY}`
        if (now === at) return
        at = now
      }
      if (!event.type.startsWith('focus')) setByKey(event.type === 'keydown')
      wake()
    }
    wake()
    for (const sign of SIGNS) window.addEventListener(sign, onSign, { passive: true })
    return () => {
      clearTimeout(timer.current)
      for (const sign of SIGNS) window.removeEventListener(sign, onSign)
    }
  }, [])
  useEffect(() => {
    if (!isHeld) wake()
  }, [isHeld])

  const onPicturePress = useCallback(() => {
    if (!wasActive.current) return
    clearTimeout(timer.current)
    setActive(false)
  }, [])
  return { isActive, isByKey, onPicturePress }
}
