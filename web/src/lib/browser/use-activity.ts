import {
  type MouseEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'

/** Time until the controls fade after the last input, in ms. */
const FADE_AFTER_MS = 4_000
const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'focusout'] as const

/** Input beside the picture, such as typing in the chat, does not show the controls. */
const BESIDE_PICTURE = '[data-beside-picture]'
const CONTROLS = '[data-controls]'
/** Keys that would act on the focused control or move the focus from it. */
const GUARDED_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'Enter', ' '])

export interface Activity {
  /** Whether the controls are shown. */
  isActive: boolean
  /** Whether the last input was a key: then the focus must be visible. */
  isByKey: boolean
  /** Call it on a press on the picture: hides the controls if they were visible before the press. */
  onPicturePress: () => void
}

const isInvisible = (element: Element): boolean => !element.checkVisibility({ checkOpacity: true })

/**
 * Handlers for the page's outermost element that stop an input from using an invisible control (`data-controls`): the
 * first touch or key only shows the controls, with the focus where it was. A mouse has always moved before it presses.
 */
export function useHiddenGuard() {
  const isOnHidden = useRef(false)
  return {
    onPointerDownCapture: ({ pointerType, target }: ReactPointerEvent) => {
      isOnHidden.current = pointerType === 'touch' && target instanceof Element && isInvisible(target)
    },
    onKeyDownCapture: (event: ReactKeyboardEvent) => {
      const { key, target } = event
      const isStopped =
        GUARDED_KEYS.has(key) && target instanceof Element && target.closest(CONTROLS) && isInvisible(target)
      if (isStopped) event.preventDefault()
      // Some browsers click on the release of Space although the press was prevented.
      isOnHidden.current = Boolean(isStopped) && key === ' '
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isOnHidden.current) return
      isOnHidden.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/**
 * Whether the viewer has used the page within the last 4 s. Stays true while `isHeld` because a dialog is open. Keys that
 * `isQuiet` names do not make it true. Without `isOn` no input is watched.
 */
export function useActivity(isHeld: boolean, isQuiet = (_: KeyboardEvent) => false, isOn = true): Activity {
  const [isActive, setActive] = useState(true)
  const [isByKey, setByKey] = useState(false)
  const wasActive = useRef(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const fade = useEffectEvent(() => {
    if (!isHeld) setActive(false)
  })
  const wake = useEffectEvent((event?: Event) => {
    if (!isActive && event instanceof KeyboardEvent && isQuiet(event)) return
    wasActive.current = isActive
    setActive(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => fade(), FADE_AFTER_MS)
  })

  useEffect(() => {
    if (!isOn) return
    let lastPosition = ''
    const onInput = (event: Event) => {
      if (event.target instanceof Element && event.target.closest(BESIDE_PICTURE)) return
      if (event.type === 'pointermove' && event instanceof PointerEvent) {
        // A layout change under a resting mouse fires a move event at the same position.
        const position = `${event.clientX} ${event.clientY}`
        if (position === lastPosition) return
        lastPosition = position
      }
      if (!event.type.startsWith('focus')) setByKey(event.type === 'keydown')
      wake(event)
    }
    wake()
    for (const type of INPUT_EVENTS) window.addEventListener(type, onInput, { passive: true })
    return () => {
      clearTimeout(timer.current)
      for (const type of INPUT_EVENTS) window.removeEventListener(type, onInput)
    }
  }, [isOn])
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
