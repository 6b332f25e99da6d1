import type { RefObject } from 'react'

/** Who had the focus when a dialog's content took it. */
const openers = new WeakMap<EventTarget, Element>()

const FIELDS =
  'input:not([type="hidden"], [tabindex="-1"], :disabled), select:not(:disabled), textarea:not(:disabled)'
const CONTROLS = 'a[href], button:not(:disabled, [tabindex="-1"]), summary, [tabindex="0"]'

/**
 * What has the focus when a dialog opens: its first field, else its first control below the title bar. Undefined for a
 * dialog that has nothing but the title bar's close button.
 */
function firstInside(dialog: Element): HTMLElement | undefined {
  const inside = (selector: string) =>
    [...dialog.querySelectorAll<HTMLElement>(selector)].find(
      (element) => element.checkVisibility() && element.closest('header') === null,
    )
  return inside(FIELDS) ?? inside(CONTROLS)
}

/**
 * Where a dialog's focus begins and where it goes afterwards, for Radix, which returns it only to a trigger of its own:
 * our dialogs are opened from anywhere. Without `initial` it begins at {@link firstInside}; without `onClosed` it goes
 * back to where it was.
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
