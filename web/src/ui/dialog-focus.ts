import type { RefObject } from 'react'

/** Who had the focus when a dialog's content took it. */
const openers = new WeakMap<EventTarget, Element>()

/**
 * Where a dialog's focus begins and where it goes afterwards, for Radix, which gives it back to a trigger of its own
 * and to nothing else: ours are opened from anywhere. Unless told, the focus begins at the first thing inside and
 * goes back to where it was.
 */
export function dialogFocus(initial?: RefObject<HTMLElement | null>, onClosed?: () => void) {
  return {
    onOpenAutoFocus: (event: Event) => {
      if (event.target && document.activeElement) openers.set(event.target, document.activeElement)
      if (!initial?.current) return
      event.preventDefault()
      initial.current.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const opener = event.target && openers.get(event.target)
      if (onClosed) onClosed()
      else if (opener instanceof HTMLElement) opener.focus()
    },
  }
}
