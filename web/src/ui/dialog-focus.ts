import type { RefObject } from 'react'

/** Where a dialog's focus begins and where it goes afterwards, for Radix; what is not told is left to it. */
export function dialogFocus(initial?: RefObject<HTMLElement | null>, onClosed?: () => void) {
  return {
    onOpenAutoFocus: (event: Event) => {
      if (!initial?.current) return
      event.preventDefault()
      initial.current.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      if (!onClosed) return
      event.preventDefault()
      onClosed()
    },
  }
}
