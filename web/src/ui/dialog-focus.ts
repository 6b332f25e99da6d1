import type { RefObject } from 'react'

/** The element that was focused when a dialog opened, by dialog. */
const openers = new WeakMap<EventTarget, Element>()

const FIELDS =
  'input:not([type="hidden"], [tabindex="-1"], :disabled), select:not(:disabled), textarea:not(:disabled)'
const CONTROLS = 'a[href], button:not(:disabled, [tabindex="-1"]), summary, [tabindex="0"]'

/**
 * The element focused when a dialog opens: its first field, else its first control below the title bar. Undefined for a
 * dialog with only a close button.
 */
function firstInside(dialog: Element): HTMLElement | undefined {
  const inside = (selector: string) =>
    [...dialog.querySelectorAll<HTMLElement>(selector)].find(
      (element) => element.checkVisibility() && element.closest('header') === null,
    )
  return inside(FIELDS) ?? inside(CONTROLS)
}

/**
 * Radix props for the focus when a dialog opens and closes. Radix returns the focus only to its own trigger, and our
 * dialogs are opened from anywhere. Without `initial`, {@link firstInside} is focused; without `onClosed`, the element
 * focused before.
 */
export function dialogFocus(initial?: RefObject<HTMLElement | null>, onClosed?: () => void) {
  return {
    onOpenAutoFocus: (event: Event) => {
      if (event.target && document.activeElement) openers.set(event.target, document.activeElement)
      const first =
        initial?.current ?? (event.target instanceof Element ? firstInside(event.target) : undefined)
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const opener = event.target && openers.get(event.target)
      if (onClosed) onClosed()
      else if (opener instanceof HTMLElement) opener.focus()
    },
  }
}
