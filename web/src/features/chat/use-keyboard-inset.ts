import { type RefObject, useEffect } from 'react'

/** A smaller inset is a browser toolbar, not a keyboard. */
const KEYBOARD_AT_LEAST_PX = 120

/**
 * Keeps the bottom of the panel above an on-screen keyboard that covers the page instead of resizing it (Safari on iOS;
 * elsewhere the viewport's `interactive-widget` does this). Sets `--keyboard-inset` on the panel.
 */
export function useKeyboardInset(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const fit = () => {
      const covered = window.innerHeight - viewport.height - viewport.offsetTop
      const isKeyboard = viewport.scale === 1 && covered >= KEYBOARD_AT_LEAST_PX
      panel.current?.style.setProperty('--keyboard-inset', isKeyboard ? `${Math.round(covered)}px` : '0px')
    }
    viewport.addEventListener('resize', fit)
    viewport.addEventListener('scroll', fit)
    return () => {
      viewport.removeEventListener('resize', fit)
      viewport.removeEventListener('scroll', fit)
    }
  }, [panel])
}
